-- Addresses of host code as files and lines, by the debug information that addr2line reads.
local jobs = require "gpulab.jobs"
local text = require "gpulab.base.text"

local places = {}

local known = {} -- by file and address

local function output_of(words)
  local said, ok, job <close> = {}, pcall(jobs.start, words, "/dev/null")
  repeat
    if ok then jobs.wait({ job }, 1) end
    local piece = ok and job:read()
    said[#said + 1] = piece or nil
  until not piece
  return table.concat(said)
end

local function look_up(object, addresses, found)
  local words = { "/usr/bin/env", "addr2line", "-f", "-e", object }
  for _, address in ipairs(addresses) do words[#words + 1] = ("0x%x"):format(address) end
  local next_line = output_of(words):gmatch "[^\n]+"
  for _, address in ipairs(addresses) do
    local name, place = next_line(), next_line() or ""
    local file, number = place:match "^(.*):(%d+)"
    local has = file and file ~= "??" and number ~= "0"
    found[address] = { name = name or "", file = has and file or nil, line = has and tonumber(number) or nil }
  end
end

---{name, file, line} by address: the function that has it, and its place; file and line are nil where none is known.
---@param object string a program or library @param addresses integer[]
---@return table<integer, {name: string, file: string?, line: integer?}>
function places.of(object, addresses)
  known[object] = known[object] or {}
  local found, missing, asked = known[object], {}, {}
  for _, address in ipairs(addresses) do
    if not found[address] and not asked[address] then
      asked[address], missing[#missing + 1] = true, address
    end
  end
  if #missing > 0 then look_up(object, missing, found) end
  return found
end

-- Not the program's own: the toolkit's templates, and libraries.
local function is_foreign(file)
  return file:find "^/usr/" or file:find "/cuda_runtime[^/]*$" or file:find "/thrust/" or file:find "/cub/"
end

-- Code of templates is in a file that nvcc makes of NAME.cu, with the lines of NAME.cu: its path is that of the other
-- places in it. nil: it is not known.
local function source_of(file, found)
  local name = text.file_name(file):match "^tmpxft_.*%-%d+_(.*)%.cudafe1%.cpp$"
  if not name then return file end
  for _, place in pairs(found) do
    if place.file and text.file_name(place.file) == name .. ".cu" then return place.file end
  end
end

---The places of a call that are the program's own code, the innermost first. What a launch is made by, the function
---__device_stub__... of nvcc's and its caller of the kernel's name, is not.
---@param call {object: string, places: integer[]}
---@return {place: {file: string, line: integer}, address: integer}[]
function places.own(call)
  local found, own = places.of(call.object, call.places), {}
  local from = 1
  for i, address in ipairs(call.places) do
    if found[address].name:find("__device_stub__", 1, true) then from = i + 2 end
  end
  for i = from, #call.places do
    local place = found[call.places[i]]
    local file = place.file and not is_foreign(place.file) and source_of(place.file, found)
    if file then own[#own + 1] = { place = { file = file, line = place.line }, address = call.places[i] } end
  end
  return own
end

return places
