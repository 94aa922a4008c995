-- Which device a name means that a person typed, and which GPU there is.
local files = require "gpulab.base.files"
local host = require "gpulab.host"
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

local DRIVER <const> = "/proc/driver/nvidia/gpus/"

---The model that NVIDIA's driver names for its first GPU, which is not touched; nil where there is no driver.
---@return string?
function device_name.of_driver()
  for _, folder in ipairs(host.list(DRIVER)) do
    local model = (files.read(DRIVER .. folder .. "information") or ""):match("Model:[ \t]*([^\n]+)")
    if model then return model end
  end
end

return device_name
