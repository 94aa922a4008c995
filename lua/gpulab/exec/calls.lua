-- Calls of the CUDA runtime that failed while a program ran: which ones the program did not look at, where they were
-- made, and why they failed.
local lazy = require "gpulab.base.lazy"
local places = lazy "gpulab.exec.places"
local text = require "gpulab.base.text"

local calls = {}
calls.__index = calls

calls.MISTAKE = "cudaSuccess" -- the error of one that is wrong all the same; told where launches are checked

function calls.new() return setmetatable({ list = {}, known = {} }, calls) end

local function id(process, number) return process .. ":" .. number end

---A call returned an error.
---@param failure table what exec.run reports @param refused string? what was said of the launch that it made
function calls:failed(failure, refused)
  local launches = failure.call:find("^_*cudaLaunch") ~= nil
  self.list[#self.list + 1] = failure
  self.known[id(failure.process, failure.number)] = failure
  failure.launch = launches
  local unsaid = failure.cause == "" and launches and refused
  local beyond = launches and failure.error == "cudaErrorNotSupported"
  self.beyond = self.beyond or beyond
  if unsaid then failure.cause = (beyond and "the emulator" or "the GPU") .. " does not allow it, as said above" end
end

---The program asked for that error afterwards.
function calls:seen(process, number)
  local failure = self.known[id(process, number)]
  if failure then failure.looked = true end
end

-- Places ------------------------------------------------------------------------------------------

local function find_places(list)
  local by_object = {}
  for _, failure in ipairs(list) do
    local addresses = by_object[failure.object] or {}
    by_object[failure.object] = addresses
    table.move(failure.places, 1, #failure.places, #addresses + 1, addresses)
  end
  for object, addresses in pairs(by_object) do
    if #addresses > 0 then places.of(object, addresses) end
  end
  for _, failure in ipairs(list) do
    local own = places.own(failure)[1]
    failure.place = own and own.place
  end
end

---Where one call was made.
---@return {file?: string, line?: integer}
function calls.place(call)
  find_places { call }
  return call.place or {}
end

-- At the end --------------------------------------------------------------------------------------

---What the program did not look at, and with `launches` every launch that failed: one entry for each place and error.
---@param launches boolean @param null boolean? a kernel used a null pointer, as one gets for 0 bytes
---@return table[] {call, error, cause, count, file?, line?, looked}
function calls:ended(launches, null)
  local chosen, groups, by_key = {}, {}, {}
  for _, failure in ipairs(self.list) do
    local mistake = failure.error == calls.MISTAKE
    local matters = not mistake or launches and (null or not failure.cause:find("^0 bytes are allocated"))
    if matters and not failure.looked or launches and failure.launch and not mistake then
      chosen[#chosen + 1] = failure
    end
  end
  if #chosen > 0 then find_places(chosen) end
  for _, failure in ipairs(chosen) do
    local addresses = table.concat(failure.places, " ")
    local key = table.concat({ failure.call, failure.error, failure.cause, failure.object, addresses }, "\0")
    local group = by_key[key]
    if group then
      group.count = group.count + 1
    else
      local place = failure.place or {}
      group = { call = failure.call, error = failure.error, cause = failure.cause, count = 1, file = place.file,
        line = place.line, looked = failure.looked }
      by_key[key], groups[#groups + 1] = group, group
    end
  end
  return groups
end

---The name as a program has it.
function calls.name(call)
  return (call.call:gsub("^__", ""):gsub("_ptsz$", ""):gsub("_ptds$", ""):gsub("_v%d$", ""))
end

---"cudaMemcpy at saxpy.cu:12 returned cudaErrorInvalidValue: 4000 bytes, but ..."
---@param placed boolean with the place, and how often
function calls.sentence(group, placed)
  local name = calls.name(group)
  local at = placed and group.file and (" at %s:%d"):format(text.file_name(group.file), group.line) or ""
  local times = placed and group.count > 1 and (", %d times"):format(group.count) or ""
  local how = group.error == calls.MISTAKE and "" or group.error ~= "" and " returned " .. group.error
    or " ended the program"
  return ("%s%s%s%s%s"):format(name ~= "" and name or "a call of the runtime", at, how, times,
    group.cause ~= "" and ": " .. group.cause or "")
end

return calls
