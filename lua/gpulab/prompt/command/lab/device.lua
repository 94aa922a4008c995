-- The command device.
local batch = require "gpulab.show.batch"
local device_name = require "gpulab.base.device_name"
local text = require "gpulab.base.text"

local function run(session, words)
  if #words > 0 then session:use_device(gpu.open(device_name.of(table.concat(words, " ")))) end
  text.say("  " .. batch.device_line(gpu.device))
end

local function names()
  local list = {}
  for i, device in ipairs(gpu.devices()) do list[i] = device.name end
  return list
end

return { name = "device", usage = "device [NAME]", topic = "devices", summary = "show or change the device",
  help = "device emu, device GTX 280, device cuda:0: opens the device and discards the earlier results. A GPU's name or"
    .. " a unique prefix of it means its emulator.",
  complete = names,
  run = run }
