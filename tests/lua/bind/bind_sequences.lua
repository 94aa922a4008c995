-- Predictions for roots, divisions, and long loops, as an H200 was measured to take them (driver 580.159.04, 2026-11-28,
-- ten launches in a row): what ptxas makes of an instruction, and how long it is.
local t = require "luaunit"

local SOURCE <const> = [[
extern "C" __global__ void again(float *out, const float *in, int n, int rounds) {
	const float *row = in + (blockIdx.x % 64) * n * 32 + threadIdx.x % 32;
	float s = 0;
	for (int r = 0; r < rounds; r++)
		for (int k = 0; k < n; k++) s += row[k * 32] * s;
	out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
extern "C" __global__ void some_rounds(float *out, const float *in, int n, int rounds) {
	const float *row = in + (blockIdx.x % 64) * n * 32 + threadIdx.x % 32;
	float s = 0;
	rounds *= 1 + blockIdx.x % 2;
	for (int r = 0; r < rounds; r++)
		for (int k = 0; k < n; k++) s += row[k * 32] * s;
	out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
extern "C" __global__ void roots(float *out, const float *in, int n, int rounds) {
	float x = in[threadIdx.x], s = 0;
	for (int r = 0; r < rounds; r++) s += 1.0f / sqrtf(x + r);
	out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
extern "C" __global__ void bodies(float *out, const float *in, int n, int rounds) {
	float x = in[threadIdx.x], y = in[threadIdx.x + 32], z = in[threadIdx.x + 64], a = 0;
	for (int k = 0; k < rounds; k++) {
		float dx = in[3 * k] - x, dy = in[3 * k + 1] - y, dz = in[3 * k + 2] - z;
		float d = dx * dx + dy * dy + dz * dz + 0.01f;
		a += dx / (d * sqrtf(d));
	}
	out[blockIdx.x * blockDim.x + threadIdx.x] = a;
}
extern "C" __global__ void divide(int *out, const int *in, int n, int rounds) {
	int s = 0;
	for (int k = 0; k < rounds; k++) s += (in[k] + threadIdx.x) / n + (in[k] + threadIdx.x) % n;
	out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
extern "C" __global__ void normals(double *out, const double *in, int n, int rounds) {
	double s = 0;
	for (int k = 0; k < rounds; k++) {
		double a = in[k], b = in[k + 1];
		s += a / sqrt(a * a + b * b + threadIdx.x);
	}
	out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
extern "C" __global__ void quotients(int *out, const int *in, int one, int rounds) {
	int x[4];
	for (int i = 0; i < 4; i++) x[i] = 100000 + threadIdx.x + i;
	for (int k = 0; k < rounds; k++) {
#pragma unroll
		for (int i = 0; i < 4; i++) x[i] = 100000 / x[i] + one;
	}
	out[threadIdx.x] = x[0] + x[1] + x[2] + x[3];
}
]]

local device = gpu.open "emu"
local module = device:compile_text(SOURCE)

local function predict(name, element, grid, block, n, rounds)
  local out, data = device:buffer(element, grid * block, { fill = 0 }), device:buffer(element, 1 << 19, { fill = 1 })
  local report = device:count(module:kernel(name), { grid = grid, block = block }, { out, data, n, rounds },
    { rules = "H200", models = { "H200" } })
  out:free()
  data:free()
  return report.models.H200.ms
end

local function near(ms, measured) t.assertAlmostEquals(ms / measured, 1, 0.25) end

TestSequences = {}

function TestSequences.test_roots_do_not_overlap_in_a_warp()
  near(predict("roots", "float", 132, 128, 0, 1000), 0.0779)
  near(predict("roots", "float", 132, 1024, 0, 1000), 0.1162)
  near(predict("bodies", "float", 132, 64, 0, 1000), 0.1587)
  near(predict("bodies", "float", 132, 512, 0, 1000), 0.1616)
end

function TestSequences.test_roots_of_doubles()
  near(predict("normals", "double", 132, 64, 0, 500), 0.0884)
  near(predict("normals", "double", 132, 512, 0, 500), 0.0975)
end

function TestSequences.test_a_divisor_that_stays()
  near(predict("divide", "int", 132, 64, 7, 1000), 0.0390)
  near(predict("divide", "int", 132, 1024, 7, 1000), 0.0835)
end

-- 263.7 cycles of 32 warps for each. Their shares are less than an iteration.
function TestSequences.test_of_long_iterations_one_is_replayed_at_least()
  for _, rounds in ipairs { 64, 128, 1024 } do
    near(predict("quotients", "int", 1, 1024, 3, rounds), rounds * 4 * 263.7 / 1.98e6)
  end
end

-- In half of the blocks half of the rounds: less to do, and the longest one as long as before.
function TestSequences.test_a_longest_block_goes_on_as_others_do()
  for _, rounds in ipairs { 20, 80 } do
    local all, some = predict("again", "float", 16, 128, 128, 2 * rounds),
      predict("some_rounds", "float", 16, 128, 128, rounds)
    t.assertTrue(some < 1.05 * all, some .. " and " .. all)
  end
end

-- Only the first of 100 rounds waits for DRAM.
function TestSequences.test_a_beginning_does_not_stand_for_the_rest()
  near(predict("again", "float", 16, 128, 128, 100), 0.1422)
  near(predict("again", "float", 132, 256, 64, 200), 0.1509)
end

os.exit(t.LuaUnit.run("-o", "tap"), true)
