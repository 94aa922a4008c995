-- The command devices. Nothing is measured here: the GPU may be running a step.
local devices = require "gpulab.prompt.devices"
local failure = require "gpulab.base.failure"

return { name = "devices", usage = "devices", topic = "devices", summary = "list the devices that can be opened",
  help = "Prints one line per device, its name first, which gpulab --device NAME opens; in a lab device NAME does, too."
    .. " gpulab --devices also measures the GPUs.",
  run = function(prompt, words)
    if #words > 0 then
      failure.usage("devices takes no argument", prompt.session and ("`device %s` opens that device"):format(words[1])
        or "gpulab --device NAME opens one")
    end
    devices.list()
  end }
