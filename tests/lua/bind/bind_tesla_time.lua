-- What the model of cc 1.x makes of single kernels, one rule each.
local t = require "luaunit"

local MODEL <const> = "GTX 280"
local SOURCE <const> = [[
// Each lane reads words of pages of its own, and then computes.
extern "C" __global__ void pages(float *to, const float *from, int n) {
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
	for (int k = 0; k < 16; k++)
		sum += from[(i + 67 * k) * 8192 % (1 << 22)];
	for (int k = 0; k < n; k++)
		sum = sum * sum + 1;
	to[i] = sum;
}
// One instruction after the other, without memory, so that a block's time is its number of iterations.
extern "C" __global__ void spin(float *to, int n) {
	float sum = threadIdx.x;
#pragma unroll 1
	for (int k = 0; k < n; k++)
		sum = sum * 0.5f + 1;
	to[blockIdx.x * 32 + threadIdx.x] = sum;
}
// The lanes from `first` on, of 16 or 32, read shared memory with a stride.
extern "C" __global__ void columns(float *to, int first, int end, int stride) {
	extern __shared__ volatile float words[];
	float sum = 0;
	if (threadIdx.x >= first && threadIdx.x < end)
		for (int k = 0; k < 1024; k++)
			sum += words[threadIdx.x * stride];
	to[threadIdx.x] = sum;
}
]]

local device = gpu.open "emu"
local module = device:compile_text(SOURCE)

TestTesla = {}

function TestTesla:setUp()
  self.to = device:buffer("float", 1 << 16, { fill = 0 })
  self.from = device:buffer("float", 1 << 22, { fill = 1 })
end

local function predicted(name, config, args)
  return device:count(module:kernel(name), config, args, { rules = MODEL, models = { MODEL } }).models[MODEL].ms
end

-- 30 multiprocessors: 64 blocks are two for each, and a third for four of them. Where memory takes longer, these four
-- take as long as four of 30 blocks; where instructions do, an SM with three blocks takes as long as if all had three.
function TestTesla:test_a_last_window_that_is_not_full_runs_beside_the_one_before()
  local function part(n)
    local function ms(blocks) return predicted("pages", { grid = blocks, block = 256 }, { self.to, self.from, n }) end
    local two = ms(60)
    return (ms(64) - two) / (ms(90) - two)
  end
  t.assertAlmostEquals(part(0), 4 / 30, 1e-3)
  t.assertAlmostEquals(part(18000), 4 / 30, 1e-3)
  local long = part(60000)
  t.assertTrue(long > 0.9 and long <= 1, long)
end

-- Blocks that run for long take turns on the emulator: those of eight windows then begin before the first ends.
function TestTesla:test_time_grows_with_the_work_of_a_block_however_long_it_is()
  local function ms(n) return predicted("spin", { grid = 240, block = 32, timeout = 200000 }, { self.to, n }) end
  t.assertAlmostEquals(ms(300000) / ms(50000), 6, 0.02)
end

-- Shared memory serves one half of a warp at a time, but an instruction is repeated for the whole warp.
function TestTesla:test_a_conflict_in_one_half_takes_the_whole_warp()
  local function ms(first, last, stride)
    return predicted("columns", { grid = 30, block = 32, shared = 4 * 32 * 16 }, { self.to, first, last, stride })
  end
  for _, stride in ipairs { 2, 4, 8, 16 } do
    local first, second, both = ms(0, 16, stride), ms(16, 32, stride), ms(0, 32, stride)
    t.assertAlmostEquals(first / both, 1, 1e-3, stride)
    t.assertAlmostEquals(second / both, 1, 1e-3, stride)
    t.assertTrue(both > ms(0, 32, stride // 2), stride)
  end
  t.assertAlmostEquals(ms(0, 16, 1) / ms(0, 32, 1), 1, 1e-3)
end

os.exit(t.LuaUnit.run("-o", "tap"), true)
