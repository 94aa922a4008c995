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

-- The function and the place that addr2line prints in two lines.
local function frame_of(name, place)
  local file, number = place:match "^(.*):(%d+)"
  local has = file and file ~= "??" and number ~= "0"
  return { name = name, file = has and file or nil, line = has and tonumber(number) or nil }
end

local function look_up(object, addresses, found)
  local words = { "/usr/bin/env", "addr2line", "-a", "-i", "-f", "-e", object }
  for _, address in ipairs(addresses) do words[#words + 1], found[address] = ("0x%x"):format(address), {} end
  local at, name
  for line in output_of(words):gmatch "[^\n]+" do
    local address = line:match "^0x%x+$"
    if address then
      at, name = found[tonumber(address)], nil
    elseif not name then
      name = line
    else
      if at then at[#at + 1] = frame_of(name, line) end
      name = nil
    end
  end
end

---By address: the functions that have it, the innermost first. Of several all but the last are inlined in the next.
---file and line are nil where none is known.
---@param object string a program or library @param addresses integer[]
---@return table<integer, {name: string, file: string?, line: integer?}[]>
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
  for _, frames in pairs(found) do
    for _, frame in ipairs(frames) do
      if frame.file and text.file_name(frame.file) == name .. ".cu" then return frame.file end
    end
  end
end

-- Whether a function is the one with the kernel's name, whose stub has `stub` after __device_stub__: _Z4tileILi3EEvPfi,
-- or inlined tile<3>.
local function is_kernel(name, stub)
  local plain = name:match "^[%a_][%w_]*"
  return plain ~= nil and (("_" .. stub):find(name, 1, true) == 1 or stub:find(name, 1, true) == 1
    or stub:find(#plain .. plain, 1, true) ~= nil)
end

-- The first of the frames behind those by which nvcc makes a launch: functions of NAME.cudafe1.stub.c, and the one with
-- the kernel's name, which ends with a jump where the compiler optimizes.
local function behind_launch(frames)
  local from, stub = 1, nil
  for i, frame in ipairs(frames) do
    stub = frame.name:match "__device_stub__(.*)" or stub
    if frame.name:find("__device_stub_", 1, true) or (frame.file or ""):find "%.cudafe1%.stub%.c$" then from = i + 1 end
  end
  return stub and frames[from] and is_kernel(frames[from].name, stub) and from + 1 or from
end

---The places of a call that are the program's own code, the innermost first, without those of nvcc's functions.
---@param call {object: string, places: integer[]}
---@return {place: {file: string, line: integer}, address: integer}[]
function places.own(call)
  local found, frames, own = places.of(call.object, call.places), {}, {}
  for _, address in ipairs(call.places) do
    for _, frame in ipairs(found[address]) do
      frames[#frames + 1] = { name = frame.name, file = frame.file, line = frame.line, address = address }
    end
  end
  for i = behind_launch(frames), #frames do
    local frame = frames[i]
    local file = frame.file and not is_foreign(frame.file) and source_of(frame.file, found)
    if file then own[#own + 1] = { place = { file = file, line = frame.line }, address = frame.address } end
  end
  return own
end

return places
