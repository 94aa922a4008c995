-- What stepping costs: a run to the end, with a stop whose condition never holds, and going back over 10^6 instructions.
-- usage: gpulab --device emu tests/warp/time.lua
local debugger = require "gpulab.warp.debugger"

local SOURCE <const> = [[
extern "C" __global__ void loop(unsigned *out, unsigned n)
{
	unsigned x = threadIdx.x;
#pragma unroll 1
	for (unsigned i = 0; i < n; i++)
		x = x * x + i;
	out[threadIdx.x] = x;
}
]]
local ITERATIONS <const> = 2500000
local TIMES <const> = 5

local clock <const> = require("gpulab.host").seconds

local function best(run)
  local least
  for _ = 1, TIMES do
    local begun = clock()
    run()
    local took = clock() - begun
    least = math.min(least or took, took)
  end
  return least
end

local out = gpu.buffer("unsigned", 32)
local kernel = gpu.compile_text(SOURCE):kernel("loop")
local config <const> = { grid = 1, block = 32 }
local function opened() return debugger.open(kernel, config, { out, ITERATIONS }, "loop") end

local plain = best(function() kernel(config)(out, ITERATIONS) end)
print(("run                                     %.3f s"):format(plain))

local d = opened()
local stepped = best(function()
  d:restart()
  assert(d:go("on").halt == "block ended")
end)
local instructions = d.moment.warps[1].instructions
print(("stepped to the end                      %.3f s, %.1f times, %d instructions"):format(stepped, stepped / plain,
  instructions))
d:stop_at("6", "x == 1 && threadIdx.x == 99")
local stopped = best(function()
  d:restart()
  assert(d:go("on").halt == "block ended")
end)
print(("with a condition that never holds       %.3f s, %.1f times"):format(stopped, stopped / plain))
d:delete()

local function to_million()
  d:restart()
  d:go("instruction", { count = 1000000 })
  d:go "line"
  assert(d.moment.count >= 1000000)
end
to_million()
local lines = {}
local back = best(function()
  local count = d.moment.count
  d:go("line", { back = true })
  assert(d.moment.count < count)
  lines[#lines + 1] = d.moment.count
  d:go "line"
end)
print(("back and step at instruction %d    %.3f s for both"):format(lines[1], back))
local only
for _ = 1, TIMES do
  local begun = clock()
  d:go("line", { back = true })
  local took = clock() - begun
  only = math.min(only or took, took)
  d:go "line"
end
print(("back at instruction %d             %.3f s"):format(lines[1], only))
