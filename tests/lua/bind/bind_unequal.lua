-- Predictions for blocks that differ in length, and for loops that ptxas unrolls: bounds that hold on any GPU, and times
-- that an H200 was measured to take (driver 580.159.04, 2026-11-28; the constants of the model have seen neither).
local t = require "luaunit"

local SOURCE <const> = [[
extern "C" __global__ void uneven(float *out, int m) {
	const int n = blockIdx.x % 17 * m;
	float x = 1;
	for (int k = 0; k < n; k++) x = x * 1.0001f + 0.5f;
	out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}
extern "C" __global__ void one_long(float *out, int m, int which) {
	const int n = blockIdx.x == which ? m : 1;
	float x = 1;
	for (int k = 0; k < n; k++) x = x * 1.0001f + 0.5f;
	out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}
extern "C" __global__ void mandelbrot(int *out, int size, int most) {
	const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
	const float cx = -2 + 2.5f * i / size, cy = -1.25f + 2.5f * j / size;
	float x = 0, y = 0;
	int n = 0;
	for (; n < most && x * x + y * y < 4; n++) {
		const float next = x * x - y * y + cx;
		y = 2 * x * y + cy;
		x = next;
	}
	out[j * size + i] = n;
}
extern "C" __global__ void left_alone(float *out, int n) {
	float x = 1;
#pragma unroll 1
	for (int k = 0; k < n; k++) x = x * 1.0001f + 0.5f;
	out[threadIdx.x] = x;
}
extern "C" __global__ void counts(int *out, int m) {
	const int n = blockIdx.x == 0 ? m : 1;
	for (int k = 0; k < n; k++) atomicAdd(&out[threadIdx.x + 32 * (k & 7)], k);
}
extern "C" __global__ void waits(int *out, volatile int *flag) {
	if (blockIdx.x == 0) {
		for (int k = 0; k < 20000; k++) out[threadIdx.x] += k;
		*flag = 1;
	} else
		while (*flag == 0);
}
]]

local device = gpu.open "emu"
local module = device:compile_text(SOURCE)

local function predict(name, grid, block, ...)
  local args = { ... }
  local report = device:count(module:kernel(name), { grid = grid, block = block }, args,
    { rules = "H200", models = { "H200", "RTX 3080", "T4" } })
  for _, arg in ipairs(args) do
    if type(arg) == "userdata" then arg:free() end
  end
  return report.models
end

local function uneven(blocks)
  return predict("uneven", blocks, 256, device:buffer("float", blocks * 256, { fill = 0 }), 1000)
end

local function near(ms, measured, share) t.assertAlmostEquals(ms / measured, 1, share) end

TestUnequal = {}

function TestUnequal.test_more_blocks_do_not_take_less_time()
  for _, model in ipairs { "H200", "RTX 3080", "T4" } do
    local before = 0
    for _, blocks in ipairs { 17, 34, 68, 132, 133, 264, 500, 1000 } do
      local ms = uneven(blocks)[model].ms
      t.assertTrue(ms > 0.85 * before, ("%s: %d blocks, %g after %g ms"):format(model, blocks, ms, before))
      before = math.max(before, ms)
    end
  end
end

function TestUnequal.test_the_longest_block_bounds_the_launch()
  for blocks, measured in pairs { [17] = 0.0382, [132] = 0.0384, [133] = 0.0385, [150] = 0.0398, [500] = 0.0757, [1000] = 0.1105 } do
    near(uneven(blocks).H200.ms, measured, 0.25)
  end
end

-- That of such kernels, and of others that of what limits them.
function TestUnequal.test_the_stated_error()
  t.assertAlmostEquals(uneven(500).H200.error, 0.22, 1e-9)
  t.assertNil(uneven(500).T4.error)
  local alone = predict("one_long", 1, 256, device:buffer("float", 256, { fill = 0 }), 1000, 0).H200
  t.assertAlmostEquals(alone.error, 0.12, 1e-9) -- latency's
end

function TestUnequal.test_one_long_block()
  local function with(which)
    return predict("one_long", 2000, 256, device:buffer("float", 2000 * 256, { fill = 0 }), 100000, which).H200
  end
  near(with(0).ms, 0.236, 0.1)
  local unseen = with(5) -- not recorded: no error is stated, and not less than its instructions take
  t.assertNil(unseen.error)
  t.assertTrue(unseen.ms > 0.15)
end

-- Its blocks of one column are alike: those that are replayed must not be of one.
function TestUnequal.test_an_image_whose_columns_differ()
  for size, measured in pairs { [256] = 0.0098, [512] = 0.0184, [1024] = 0.0412 } do
    local out = device:buffer("int", size * size, { fill = 0 })
    near(predict("mandelbrot", { size // 16, size // 16 }, { 16, 16 }, out, size, 256).H200.ms, measured, 0.25)
  end
end

-- 4.66 cycles per iteration: 16 FMAs of 4 cycles that wait for each other, and a branch.
function TestUnequal.test_a_loop_that_ptxas_unrolls_again()
  local alone = predict("one_long", 1, 256, device:buffer("float", 256, { fill = 0 }), 100000, 0).H200.ms
  near(alone, 0.2355, 0.05)
  local kept = predict("left_alone", 1, 256, device:buffer("float", 256, { fill = 0 }), 100000).H200.ms
  t.assertTrue(kept > 3 * alone)
end

-- What the others leave to it of L2 and DRAM is nearly all.
function TestUnequal.test_a_long_block_has_the_memory_for_itself()
  local function with(blocks)
    return predict("counts", blocks, 32, device:buffer("int", 256, { fill = 0 }), 3000)
  end
  local alone, among = with(1), with(132)
  for _, model in ipairs { "H200", "RTX 3080", "T4" } do
    t.assertTrue(among[model].ms < 1.5 * alone[model].ms, model .. ": " .. among[model].ms .. " and " .. alone[model].ms)
  end
end

-- How long blocks wait for each other is an accident.
function TestUnequal.test_blocks_that_wait_do_not_count_as_long()
  local p = predict("waits", 4, 32, device:buffer("int", 64, { fill = 0 }), device:buffer("int", 1, { fill = 0 })).H200
  t.assertTrue(p.ms < 60)
end

os.exit(t.LuaUnit.run("-o", "tap"), true)
