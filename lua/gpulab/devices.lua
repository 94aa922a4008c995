-- The devices that can be opened: `gpulab --devices`, and `devices` at the prompt.
local commands = require "gpulab.commands"
local failure = require "gpulab.failure"
local text = require "gpulab.text"

local devices = {}

local function gigabytes(bytes)
  return bytes > 0 and ("%.0f GB"):format(bytes / 1e9) or ""
end

local function line_of(device)
  return (("%-24s %-28s cc %d.%d  %3d SMs  %s"):format(device.name, device.gpu, device.cc // 10, device.cc % 10,
    device.sms, gigabytes(device.memory_bytes)):gsub("%s+$", ""))
end

local function say(lines)
  if #lines > 0 then io.stdout:write(table.concat(lines, "\n"), "\n") end
end

---Prints what is there and cannot be had, then a line for each device, and below it what `detail` says of it.
---@param detail (fun(device: table): string[])?
function devices.list(detail)
  local found, missing = gpu.devices()
  for _, device in ipairs(missing) do say(text.wrap(("%s cannot be opened: %s."):format(device.name, device.why))) end
  for _, device in ipairs(found) do
    say { line_of(device) }
    if detail then say(detail(device)) end
  end
end

---What --devices prints: GPUs are measured too, which takes seconds each.
---@param options {color: boolean?}
function devices.measure(options)
  devices.list(function(device)
    return device.backend == "cuda" and require("gpulab.peaks").of(device.name, { color = options.color }) or {}
  end)
end

-- At the prompt nothing is measured: the GPU may be in the middle of somebody's step.
commands.define { name = "devices", usage = "devices", summary = "list the devices that can be opened",
  help = "One line a device, its name first: device NAME opens it. gpulab --devices measures what the GPUs can do.",
  run = function(args)
    if #args > 0 then failure.raise("usage", "devices takes no argument", "", "device " .. args[1] .. " opens one") end
    devices.list()
  end }

return devices
