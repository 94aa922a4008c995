-- The time of a program's launch on a GPU. The program runs on the emulator, and its host code never gets near the GPU:
-- while a launch is reported, the same kernel is launched there with the same inputs, by gpulab and in its worker. So
-- no code of the program's can touch the clock, and what the launch leaves has to be what it left on the emulator.
local failure = require "gpulab.base.failure"
local gpu = require "gpulab.gpu"
local lists = require "gpulab.base.lists"
local text = require "gpulab.base.text"

local measured = { samples = 5 } -- of each launch, after a warm-up

-- A kernel may find flags or counters as it left them: each sample begins with what the program's launch was given.
local function sample(kept, kernel, buffers)
  kept:restore(kernel, buffers)
  local time = gpu.time(kernel, kept:config(), kept:args(buffers), { once = true })
  local other = kept:differs(kernel, buffers)
  if other then failure.raise("wrong", ("there its result is another one, in %s"):format(text.printable(other))) end
  return time.ms
end

local function median_of(device, kept, close)
  local buffers = lists.map(kept:buffers(), function(b)
    close[#close + 1] = device:buffer("char", b.bytes, { name = b.name })
    return close[#close]
  end)
  local kernel = kept:kernel(device)
  sample(kept, kernel, buffers)
  local times = {}
  for i = 1, measured.samples do times[i] = sample(kept, kernel, buffers) end
  table.sort(times)
  return times[measured.samples // 2 + 1]
end

---@param device Device @param launch table as exec.run reports it, with what it was given
---@return number? ms the median of some samples, each with a cold L2 cache @return string? why there is none
function measured.launch(device, launch)
  if launch.why_not_kept then return nil, "its inputs are not kept: " .. launch.why_not_kept end
  local close = {}
  local free <close> = setmetatable({}, { __close = function() -- luacheck: ignore 211
    for _, buffer in ipairs(close) do buffer:free() end
  end })
  local ok, ms = failure.try(median_of, device, launch.kept, close)
  if ok then return ms end
  return nil, text.said(ms)
end

return measured
