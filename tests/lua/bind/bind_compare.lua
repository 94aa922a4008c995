-- gpu.compare and gpu.lock from Lua, on the emulator: what they give, and what they refuse.
local lu = require "luaunit"

local source = [[
__global__ void scale(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) out[i] = 2 * in[i];
}
__global__ void wild(float *out, const float *in, int n)
{
	out[n + threadIdx.x] = in[0];
}
__global__ void sum(unsigned *out, int n)
{
	for (int i = 0; i < n; i++) atomicAdd(out, threadIdx.x);
}
__global__ void uneven(float *out, int block, int n, int others)
{
	float x = threadIdx.x;
	for (int i = 0; i < (blockIdx.x == block ? n : others); i++) x = x * 0.999f + 0.5f;
	out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}
]]

local N <const> = 1 << 20
local module = gpu.compile_text(source)
local scale, wild = module:kernel "scale", module:kernel "wild"
local input, output = gpu.buffer("float", N, { fill = "iota" }), gpu.buffer("float", N)
local args, few, all = { output, input, N }, { grid = 1, block = 128 }, { grid = N // 128, block = 128 }

TestCompare = {}

function TestCompare.test_predictions_are_compared_as_such()
  local c = gpu.compare(scale, few, args, scale, all, args)
  lu.assertEquals(c.kind, "predicted")
  lu.assertEquals(c.verdict, "slower")
  lu.assertAlmostEquals(c.ratio, c.b_ms / c.a_ms, 1e-12)
  lu.assertEquals(c.low, c.high)
  lu.assertNil(c.confidence)
  c = gpu.device:compare(scale, all, args, scale, all, args)
  lu.assertEquals(c.verdict, "cannot tell")
  lu.assertEquals(c.ratio, 1)
  lu.assertAlmostEquals(c.margin, 0.1, 1e-9) -- the order of predictions for the H200 is known from there on
  c = gpu.compare(scale, few, args, scale, { grid = 2, block = 128 }, args)
  lu.assertEquals(c.verdict, "cannot tell")
  lu.assertEquals(gpu.compare(scale, all, args, scale, few, args, { wall = 0.1 }).verdict, "faster")
end

local function said(c)
  local lines = require("gpulab.show.compare").lines(c, "a", "b", "H200")
  return (table.concat(lines, " "):gsub("%s+", " "))
end

local function worked(id, number, unit, own)
  return { device = { model = "H200" }, called = function() return id end,
    work = function() return unit and { number = number, unit = unit, own = own } end }
end

function TestCompare.test_different_work_is_compared_by_rate()
  local compare = require "gpulab.show.compare"
  local c = { kind = "predicted", verdict = "slower", ratio = 4, a_ms = 1, b_ms = 4, margin = 0.1 }
  local one, two = worked("one", 1e6, "GB/s"), worked("two", 8e6, "GB/s")
  lu.assertEquals(compare.unlike(c, one, two), "They do different work (that of two is 8.0× that of one), so their times"
    .. " do not compare. one takes 1.00 ms, 1.00 GB/s; two takes 4.00 ms, 2.00 GB/s. By rate, two is faster than one: it"
    .. " has 2.0× the rate. Predicted for the H200, not measured.")
  lu.assertStrContains(compare.unlike(c, two, worked("three", 32.5e6, "GB/s")), "By rate, cannot tell which is faster.")
  lu.assertStrContains(compare.unlike(c, one, worked("ex", 2e6, "GB/s", true)), "at a size of its own")
  lu.assertNotStrContains(compare.unlike(c, one, worked("ops", 4e6, "GFLOPS")), "By rate")
  for _, other in ipairs { worked("same", 1e6, "GB/s"), worked "unknown", worked("none", 0, "GB/s") } do
    lu.assertNil(compare.unlike(c, one, other))
  end
  c.kind = "measured"
  lu.assertStrContains(compare.unlike(c, one, two), "2.00 GB/s. These are medians.")
end

function TestCompare.test_words()
  local c = { kind = "predicted", verdict = "faster", ratio = 0.579, a_ms = 1, b_ms = 0.579, margin = 0.1, error = 0.12 }
  lu.assertStrContains(said(c), "b is faster than a: it is 1.727× as fast")
  c.verdict = "cannot tell"
  lu.assertStrContains(said(c), "error is 12 % for a single time. Two predictions that differ by 10 % or more are")
  c.margin = 0.12
  lu.assertStrContains(said(c), "The model's known error is 12 %.")
end

-- For the A100 neither an error nor an order is known: it says no more than the model of the device's GPU.
function TestCompare.test_other_gpus_follow_the_same_rule()
  local function record(h200, a100)
    local models = { H200 = { known = true, ms = h200, error = 0.12, order = 1.1 }, A100 = { known = true, ms = a100 } }
    return { device = { emulates = true, model = "H200" }, check_comparable = function() end,
      counted = function() return { report = { models = models }, models = { { gpu = "A100" } } } end }
  end
  local function verdicts(h200, a100)
    local c, others = require("gpulab.show.compare").of(record(1, 1), record(h200, a100))
    return c.verdict .. ", " .. others[1].c.verdict
  end
  lu.assertEquals(verdicts(1.05, 1.05), "cannot tell, cannot tell")
  lu.assertEquals(verdicts(1.05, 0.8), "cannot tell, faster")
  lu.assertEquals(verdicts(1.2, 1.05), "slower, cannot tell")
end

-- The H200's model of atomics is off by 23 %.
function TestCompare.test_differences_within_the_error()
  local sum, to = module:kernel "sum", gpu.buffer("unsigned", 1, { fill = 0 })
  local c = gpu.compare(sum, all, { to, 20 }, sum, all, { to, 23 })
  lu.assertEquals(c.verdict, "cannot tell")
  lu.assertEquals(c.margin, c.error)
  lu.assertTrue(c.ratio > 1.1 and c.ratio < 1 + c.error)
  lu.assertEquals(gpu.compare(sum, all, { to, 20 }, sum, all, { to, 40 }).verdict, "slower")
end

-- A block that is not among those replayed takes its time, too, and what is said of it has no error.
function TestCompare.test_one_long_block()
  local models <const> = { "GTX 280", "V100", "H200" }
  local kernel, out = module:kernel "uneven", gpu.buffer("float", 2000 * 128)
  local function count(grid, block, n)
    return gpu.count(kernel, { grid = grid, block = 128 }, { out, block, n, 1 }, { models = models }).models
  end
  local alone, hidden, even = count(1, 0, 20000), count(2000, 777, 20000), count(2000, 777, 1)
  for _, name in ipairs(models) do
    lu.assertTrue(hidden[name].ms > 0.5 * alone[name].ms, name)
    lu.assertNil(hidden[name].error, name)
    lu.assertTrue(even[name].ms < 0.1 * alone[name].ms, name)
  end
  -- On 16 SMs a part of what the blocks do is replayed: what was left out does not lengthen the bound.
  local function small(grid, block)
    local config, given = { grid = grid, block = 512 }, { out, block, 100000, 4000 }
    return gpu.count(kernel, config, given, { models = { "GTX 980" } }).models["GTX 980"].ms
  end
  lu.assertTrue(small(48, 40) < 1.5 * small(1, 0))
  lu.assertNotNil(even.H200.error)
  lu.assertNotNil(even["GTX 280"].error)
end

function TestCompare.test_a_launch_that_goes_wrong_is_raised()
  local ok, e = pcall(gpu.compare, scale, few, args, wild, few, args)
  lu.assertFalse(ok)
  lu.assertEquals(e.kind, "fault")
  ok, e = pcall(gpu.compare, wild, few, args, scale, few, args)
  lu.assertFalse(ok)
  lu.assertEquals(e.kind, "fault")
end

function TestCompare.test_what_makes_no_sense()
  local function refused(text, ...) lu.assertErrorMsgContains(text, gpu.compare, ...) end
  refused("#1")
  refused("#4", scale, few, args)
  refused("#4", scale, few, args, 7, few, args)
  refused("#5", scale, few, args, scale, 7, args)
  refused("#6", scale, few, args, scale, few, 7)
  refused("walls", scale, few, args, scale, few, args, { walls = 1 })
  refused("non-negative", scale, few, args, scale, few, args, { wall = -1 })
  refused("non-negative", scale, few, args, scale, few, args, { wall = 0 / 0 })
  refused("non-negative", scale, few, args, scale, few, args, { wall = math.huge })
  refused("table", scale, few, args, scale, few, args, "quick")
  local other <close> = gpu.open "emu"
  local stranger = other:compile_text(source):kernel "scale"
  local theirs = { other:buffer("float", N), other:buffer("float", N), N }
  refused("the same device", scale, few, args, stranger, few, theirs)
end

function TestCompare.test_the_lock()
  gpu.lock(false)
  gpu.lock(true)
  for _, wrong in ipairs { 1, "no", {} } do lu.assertErrorMsgContains("boolean", gpu.lock, wrong) end
  lu.assertErrorMsgContains("boolean", gpu.lock)
end

os.exit(lu.LuaUnit.run("-o", "tap"), true)
