-- The devices that can be opened: `gpulab --devices`, and `devices` at the prompt.
local host = require "gpulab.host"
local text = require "gpulab.base.text"

local devices = {}

local function gigabytes(bytes)
  return bytes > 0 and ("%.0f GB"):format(bytes / 1e9) or ""
end

-- The columns of a device: two for names, as wide as the longest.
local function line_of(device, widths)
  local names = text.left(device.name, widths.name) .. "  " .. text.left(device.gpu, widths.gpu)
  return (("%s  cc %d.%d  %3d SMs  %s"):format(names, device.cc // 10, device.cc % 10, device.sms,
    gigabytes(device.memory_bytes)):gsub("%s+$", ""))
end

local function widest(found, field)
  local most = 0
  for _, device in ipairs(found) do most = math.max(most, text.width(device[field])) end
  return most
end

-- Which parts of its sandbox each kind of worker has, once for devices that have the same.
local function sandboxes(found)
  local lines, seen = {}, {}
  local function add(whose, sandbox)
    local line = ("Sandbox of %s: %s"):format(whose, sandbox)
    if (sandbox or "") == "" or seen[line] then return end
    seen[line] = true
    text.add(lines, line)
  end
  for _, device in ipairs(found) do add(device.measures and device.name or "emulators", device.sandbox) end
  add("the compiler", host.compiler_sandbox())
  return lines
end

---Prints the devices that cannot be opened, then a line per device with what `detail` says about it, then which parts
---of the workers' sandboxes are in force.
---@param detail (fun(device: table): string[])?
function devices.list(detail)
  local found, missing = gpu.devices()
  for _, device in ipairs(missing) do
    text.say(text.wrap(("%s cannot be opened: %s."):format(device.name, device.why)))
  end
  local widths = { name = widest(found, "name"), gpu = widest(found, "gpu") }
  for _, device in ipairs(found) do
    text.say(line_of(device, widths))
    if detail then text.say(detail(device)) end
  end
  text.say(sandboxes(found))
end

---What --devices prints: GPUs are measured too, which takes seconds each.
---@param options {color: boolean?}
function devices.measure(options)
  devices.list(function(device)
    return device.measures and require("gpulab.show.peaks").of(device.name, { color = options.color }) or {}
  end)
end

return devices
