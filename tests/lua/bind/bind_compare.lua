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
