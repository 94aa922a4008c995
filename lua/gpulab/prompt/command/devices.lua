-- The command devices. Nothing is measured here: the GPU may be running a step.
local devices = require "gpulab.prompt.devices"
local failure = require "gpulab.base.failure"

return { name = "devices", usage = "devices", topic = "devices", summary = "list the devices that can be opened",
  help = "Prints one line per device, its name first; device NAME opens it. gpulab --devices also measures the GPUs.",
  run = function(_, words)
    if #words > 0 then
      failure.usage("devices takes no argument", ("`device %s` opens that device"):format(words[1]))
    end
    devices.list()
  end }
