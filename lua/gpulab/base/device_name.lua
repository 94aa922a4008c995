-- Which device a name means that a person typed.
local places = require "gpulab.base.places"

local device_name = {}

---The device that a typed name means: a GPU's name, or a prefix that only one has, is its emulator.
---@param name string @return string
function device_name.of(name)
  local plain = name:lower()
  if plain == "auto" or plain:match("^emu") or plain:match("^cuda") or plain:match("^worker:") then return name end
  if places.is(name) then return name end
  local ok, model = pcall(gpu.model, name)
  if ok then return "emu:" .. model.name end
  if type(model) == "table" and tostring(model.message):find("ambiguous", 1, true) then error(model, 0) end
  return name
end

return device_name
