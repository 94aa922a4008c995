-- What a launch comes back to: predicted bytes of DRAM where L2 kept it and where not, whole and of a sample.
local t = require "luaunit"

local module = gpu.compile_text [[
extern "C" __global__ void rows(float *out, const float *in, int n) {
	const float *row = in + blockIdx.x * n;
	float most = -1e30f, sum = 0;
	for (int i = threadIdx.x; i < n; i += blockDim.x) most = fmaxf(most, __ldcg(row + i));
	for (int i = threadIdx.x; i < n; i += blockDim.x) sum += __ldcg(row + i) * most;
	out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
extern "C" __global__ void raise(float *x, int n) {
	for (int k = 0; k < 3; k++)
		for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] = __ldcg(x + i) + 1;
}
extern "C" __global__ void table(float *out, const float *in, int n) {
	float sum = 0;
	for (int i = threadIdx.x; i < n; i += blockDim.x) sum += __ldcg(in + i);
	out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
]]
local ROWS <const>, ROW <const>, MB <const> = 480, 4096, 1 << 20
local out, data = gpu.buffer("float", ROWS * 256), gpu.buffer("float", ROWS * ROW, { fill = 1 })

local function gpu_with(base, bytes)
  return gpu.model { base = base, l2_bytes = bytes, name = ("%s with an L2 of %.1f MB"):format(base, bytes / MB) }.name
end

local function bytes(kernel, grid, args, model, options)
  options = options or {}
  options.models = { model }
  return gpu.count(module:kernel(kernel), { grid = grid, block = 256 }, args, options).models[model].dram_bytes
end

TestL2 = {}

-- 28 SMs hold 168 blocks: 2.6 MB are in use at once.
function TestL2.test_a_second_pass_over_rows_is_fetched_again_where_l2_is_too_small()
  local once <const> = 4 * ROWS * (ROW + 256)
  for _, options in ipairs { {}, { sample = 240 } } do
    local function of(mb) return bytes("rows", ROWS, { out, data, ROW }, gpu_with("RTX 3060", mb * MB), options) end
    t.assertAlmostEquals(of(8) / once, 1, 0.01)
    t.assertAlmostEquals(of(1) / once, (2 * ROW + 256) / (ROW + 256), 0.05)
  end
end

function TestL2.test_what_was_changed_is_written_back_each_time()
  local n <const> = ROWS * ROW
  local function of(mb) return bytes("raise", 120, { data, n }, gpu_with("RTX 3060", mb * MB)) end
  t.assertAlmostEquals(of(16) / (8 * n), 1, 0.01)
  t.assertAlmostEquals(of(1) / (8 * n), 3, 0.05)
end

-- 256 KB that all blocks read: waves of them come back to it, and halves of an L2 both keep it.
function TestL2.test_what_all_blocks_read()
  local n <const>, blocks <const> = MB // 16, 4 * ROWS
  local sums = gpu.buffer("float", blocks * 256)
  local whole <const> = 4 * (n + 256 * blocks)
  local function of(base, mb) return bytes("table", blocks, { sums, data, n }, gpu_with(base, mb * MB)) / whole end
  t.assertAlmostEquals(of("RTX 3060", 1), 1, 0.01)
  t.assertTrue(of("RTX 3060", 0.25) > 2) -- 12 waves
  t.assertAlmostEquals(of("V100", 1.5), 1, 0.01)
  t.assertTrue(of("A100", 1.5) > 1.2) -- 3 waves
  t.assertAlmostEquals(of("A100", 2), 1, 0.01)
end

os.exit(t.LuaUnit.run("-o", "tap"), true)
