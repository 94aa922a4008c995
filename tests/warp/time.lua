-- What stepping costs, as processor time of the whole command: a run, stepped to the end, the same with a stop whose
-- condition never holds, and going back over 10^6 instructions of each warp; each N times, in a block of so many warps.
-- What 0 times take is the start.
-- usage: bash -c 'time gpulab --device emu tests/warp/time.lua run|step|stop|back N [WARPS]'
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
local warps <const> = math.tointeger(tonumber(arg[3] or 1))
local out = gpu.buffer("unsigned", 32 * warps)
local kernel = gpu.compile_text(SOURCE):kernel("loop")
local config <const> = { grid = 1, block = 32 * warps }
local function opened() return debugger.open(kernel, config, { out, ITERATIONS }, "loop") end

local work <const> = {
  run = function() kernel(config)(out, ITERATIONS) end,
  step = function(d)
    d:restart()
    assert(d:go("on").halt == "block ended")
  end,
  back = function(d)
    local count = d.moment.count
    d:go("line", { back = true })
    assert(d.moment.count < count and count > 1000000)
    d:go "line"
  end }
work.stop = work.step

local mode, times = arg[1], math.tointeger(tonumber(arg[2]))
if not work[mode] or not times then error("run, step, stop or back expected, and how many times", 0) end
local d = mode ~= "run" and opened() or nil
if mode == "stop" then d:stop_at("6", "x == 1 && threadIdx.x == 99") end
if mode == "back" then
  d:focus(0, warps - 1)
  d:go("instruction", { count = 1000000 })
  d:go "line"
  d:go "line"
end
for _ = 1, times do work[mode](d) end
