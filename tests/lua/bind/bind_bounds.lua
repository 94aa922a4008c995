-- What bounds a kernel on the models of later GPUs: one kernel for each bound, and how long it takes at least.
local t = require "luaunit"

local SOURCE <const> = [[
extern "C" __global__ void wait(float *out, int n) {
	float v = threadIdx.x;
#pragma unroll 8
	for (int i = 0; i < n; i++) {
		v = v * 0.5f + 1;
		__syncthreads();
	}
	out[blockIdx.x * blockDim.x + threadIdx.x] = v;
}
extern "C" __global__ void count(unsigned *counts, unsigned words) {
	atomicAdd(&counts[(blockIdx.x * blockDim.x + threadIdx.x) % words], 1);
}
__constant__ float table[64];
extern "C" __global__ void constants(float *out, int apart, int n) {
	float sum = 0;
	for (int i = 0; i < n; i++) sum += table[(i + apart * threadIdx.x) % 64];
	out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
extern "C" __global__ void windows(float *out, const float *in, int step, int n) {
	float sum = 0;
	for (int i = 0; i < n; i++) sum += in[(threadIdx.x % 32 + i * step) % 1024];
	out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
extern "C" __global__ void chase(unsigned *out, const unsigned *next, int n) {
	unsigned at = 0;
	for (int i = 0; i < n; i++) at = next[at];
	*out = at;
}
]]

local module = gpu.compile_text(SOURCE)
local GRID <const>, BLOCK <const> = 1056, 256
local out = gpu.buffer("float", GRID * BLOCK)

local function predict(name, config, ...)
  return gpu.count(module:kernel(name), config, { ... }, { models = { "H200" } }).models.H200
end

local function clocks(p) return p.ms * 1e6 * gpu.model("H200").shader_ghz end

TestBounds = {}

function TestBounds.test_a_warp_at_a_barrier_takes_two_clocks()
  local p = predict("wait", { grid = GRID, block = BLOCK }, out, 512)
  t.assertEquals(p.bound, "barriers")
  local warps = GRID // gpu.model("H200").sms * BLOCK // 32
  t.assertTrue(clocks(p) >= 2 * 512 * warps and clocks(p) < 3 * 512 * warps)
end

function TestBounds.test_a_barrier_of_a_block_of_one_warp_takes_longer()
  local p = predict("wait", { grid = 32 * GRID // 8, block = 32 }, out, 512)
  t.assertEquals(p.bound, "barriers")
  t.assertTrue(clocks(p) >= 2.8 * 512 * 32 and clocks(p) < 3.6 * 512 * 32)
end

-- 1.45 cycles, as measured on an H200.
function TestBounds.test_atomics_on_one_word_are_serialized()
  local counts = gpu.buffer("unsigned", 65536)
  local one, many = predict("count", { grid = GRID, block = BLOCK }, counts, 1),
    predict("count", { grid = GRID, block = BLOCK }, counts, 65536)
  t.assertEquals(one.bound, "atomics in L2")
  t.assertTrue(clocks(one) >= 1.4 * GRID * BLOCK and clocks(one) < 2 * GRID * BLOCK)
  t.assertTrue(many.ms < one.ms / 3)
end

function TestBounds.test_constants_of_many_addresses()
  local config <const> = { grid = GRID, block = BLOCK }
  local same, apart = predict("constants", config, out, 0, 64), predict("constants", config, out, 1, 64)
  t.assertEquals(apart.bound, "constant cache")
  t.assertTrue(clocks(apart) >= 2 * 32 * 64 * GRID // 132 * BLOCK // 32)
  t.assertTrue(same.ms < apart.ms / 5)
end

-- Words of two lines that lie in different banks come together; those of one bank do not.
function TestBounds.test_l1_has_the_banks_of_shared_memory()
  local input = gpu.buffer("float", 1024, { fill = 1 })
  local config <const> = { grid = GRID, block = BLOCK }
  local aligned, shifted = predict("windows", config, out, input, 32, 256), predict("windows", config, out, input, 1, 256)
  t.assertAlmostEquals(shifted.ms / aligned.ms, 1, 0.1)
end

-- A block that has its SM to itself has all of L1.
function TestBounds.test_a_lone_block_has_all_of_l1()
  local WORDS <const>, LINKS <const> = 4096, 16384
  local ring = {}
  for i = 1, WORDS do ring[i] = (i - 1 + 8) % WORDS end
  local next, last = gpu.buffer("unsigned", WORDS), gpu.buffer("unsigned", 1)
  next:upload(ring)
  local p = predict("chase", { grid = 1, block = 1 }, last, next, LINKS)
  t.assertTrue(clocks(p) / LINKS < 150) -- 689 of DRAM, 276 of L2
end

os.exit(t.LuaUnit.run("-o", "tap"), true)
