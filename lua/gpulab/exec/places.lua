-- Addresses of host code as files and lines, by the debug information that addr2line reads.
local jobs = require "gpulab.jobs"

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

return places
