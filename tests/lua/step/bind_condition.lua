-- Expressions over lanes and conditions of stops: sides that only some lanes need, variables in several registers,
-- variables without a value where the stop is.
local t = require "luaunit"
local debugger = require "gpulab.warp.debugger"

TestCondition = {}

local function open(source, name, arguments, options)
  return debugger.open(gpu.compile_text(source, options):kernel(name), { grid = 1, block = 128 }, arguments, name)
end

local LOOP <const> = [[extern "C" __global__ void loop(const float *y, float *out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int i = 0; i < 64; i++) {
    float v = y[(i * 7 + t) % n];
    sum += v;
  }
  out[t] = sum;
}]]

local function loop(options)
  local y = gpu.buffer("float", 20, { name = "y", fill = "iota" })
  local out = gpu.buffer("float", 128, { name = "out", fill = 0 })
  return open(LOOP, "loop", { y, out, 20 }, options)
end

local function lanes(d, source)
  local read, list = d:evaluate(source), {}
  for lane = 0, 31 do list[lane + 1] = read.lanes[lane] == nil and "-" or read.lanes[lane] end
  return list, read.trouble
end

local function each(f)
  local list = {}
  for lane = 0, 31 do list[lane + 1] = f(lane) end
  return list
end

-- The buffer y ends after 20 elements: what a lane does not need has no part in its value.
function TestCondition.test_a_side_is_for_the_lanes_that_need_it()
  local d = loop()
  d:go "line"
  t.assertEquals(lanes(d, "y[threadIdx.x]"), each(function(l) return l < 20 and l + 0.0 or "-" end))
  t.assertEquals(lanes(d, "threadIdx.x >= 20 || y[threadIdx.x] == 5"),
    each(function(l) return (l >= 20 or l == 5) and 1 or 0 end))
  t.assertEquals(lanes(d, "threadIdx.x < 20 && y[threadIdx.x] == 5"), each(function(l) return l == 5 and 1 or 0 end))
  t.assertEquals(lanes(d, "threadIdx.x < 20 ? y[threadIdx.x] : -1.0f"),
    each(function(l) return l < 20 and l + 0.0 or -1.0 end))
  t.assertEquals(lanes(d, "threadIdx.x < 3 ? (threadIdx.x < 1 ? 10 : 11) : threadIdx.x < 5 ? 12 : 13"),
    each(function(l) return l < 1 and 10 or l < 3 and 11 or l < 5 and 12 or 13 end))
  t.assertEquals(lanes(d, "threadIdx.x < 8 && threadIdx.x > 2 && 6 / (threadIdx.x - 2) == 3 || threadIdx.x == 31"),
    each(function(l) return (l == 4 or l == 31) and 1 or 0 end))
  t.assertEquals(lanes(d, "0 ? 1 / (threadIdx.x - threadIdx.x) : 4"), each(function() return 4 end))
  local none, trouble = lanes(d, "threadIdx.x < 20 && y[100000000] == 1")
  t.assertEquals(none, each(function(l) return l < 20 and "-" or 0 end))
  t.assertNil(trouble)
  none, trouble = lanes(d, "y[100000000] == 1 || 1")
  t.assertEquals(none, each(function() return "-" end))
  t.assertEquals(trouble, "the address is outside all memory")
end

function TestCondition.test_code_of_sides_that_do_not_match()
  local d = loop()
  d:go "line"
  for _, code in ipairs { "#1:s32 lazy:and #1:s32", "#1:s32 lazy:and #1:s32 join:or", "#1:s32 #1:s32 join:and",
    "#1:s32 #2:s32 #3:s32 sel:s32", "#1:s32 lazy:sel #1:s32 #2:s32 sel:s32", "#1:s32 lazy:and #1:s32 else:and",
    "#1:s32 lazy:sel #1:s32 join:sel", "#1:s32 else:sel" } do
    local read = d.stepping:read({ code })[1]
    t.assertNil(next(read.lanes), code)
    t.assertStrContains(read.trouble, "not an expression over lanes")
  end
end

-- -G: the loop variable is in other registers where the line of the loop begins and where it goes round.
function TestCondition.test_a_condition_is_of_the_place_where_the_line_begins()
  local d = loop { options = { "-G" } }
  local stop = d:stop_at("4", "i == 33 && threadIdx.x == 70")
  t.assertTrue(#stop.parts > 1)
  local m = d:go "on"
  t.assertEquals({ m.halt, m.line, m.warp }, { "stop", 4, 2 })
  repeat
    t.assertEquals(d:evaluate("i").lanes[6], 33)
    m = d:go "on"
  until m.halt ~= "stop"
  t.assertEquals(m.halt, "block ended")
end

-- Optimized: an inlined function whose variable is in two registers, one after the other; a warp not in focus.
function TestCondition.test_of_several_registers_the_one_written_last()
  local source = [[__device__ int twice(int a, int n) {
  int b = a * n;
  b = b ^ n;
  return b * b + a;
}
extern "C" __global__ void of_two(volatile int *out, int n) {
  int t = threadIdx.x;
  out[t] = twice(t + 1000, n);
}]]
  local out = gpu.buffer("int", 128, { name = "out", fill = 0 })
  local d = open(source, "of_two", { out, 2 })
  local expected <const> = ((69 + 1000) * 2) ~ 2
  local stop = d:stop_at("4", ("b == %d"):format(expected))
  t.assertStrMatches(stop.parts[1].code, "%%r%d+,%%r%d+:s32.*")
  local m = d:go "on"
  t.assertEquals({ m.halt, m.line, m.warp }, { "stop", 4, 2 })
  t.assertEquals(d:evaluate("b").lanes[5], expected)
  d:delete()
  d:focus(0, 0)
  d:restart()
  d:stop_at("4", ("b == %d && threadIdx.x == 69"):format((69 + 1000) * 2)) -- what b was a line before, in the first of them
  t.assertEquals(d:go("on").halt, "block ended")
end

function TestCondition.test_a_condition_without_a_value_at_the_line()
  local d = loop()
  local function refused(line, source, message)
    local ok, e = pcall(d.stop_at, d, tostring(line), source)
    t.assertFalse(ok, source)
    t.assertStrContains(e.message, message)
    t.assertEquals(d.stops, {})
  end
  refused(2, "t == 0", "t == 0 has no value yet at line 2")
  refused(8, "sum > 1", "sum was removed or merged")
  refused(8, "v > 1", "there is no variable v")
  refused(8, "threadIdx", "more than one value")
  d:stop_at("8", "t == 100")
  t.assertEquals(d:go("on").warp, 3)
  d = loop { options = { "-G" } }
  refused(2, "t == 0", "t == 0 has no value yet at line 2")
  d:stop_at("5", "v > 18") -- of the time before
  t.assertEquals(d:go("on").halt, "stop")
end

-- As a compiler of C computes them.
function TestCondition.test_numbers_and_pointers_as_in_c()
  local d = loop()
  repeat d:go "line" until d.moment.line ~= 1
  local function value(source) return d:evaluate(source).lanes[0] end
  local cases <const> = { ["(unsigned char)300"] = 44, ["(char)200"] = -56, ["(short)70000"] = 4464,
    ["(unsigned short)-1"] = 65535, ["(bool)2"] = 1, ["(bool)0.5f"] = 1, ["3000000000 * 2"] = 6000000000,
    ["0xffffffff + 1"] = 0, ["017"] = 15, ["&y[5] - y"] = 5, ["y - &y[5]"] = -5, ["*(2 + y)"] = 2, ["*&y[3]"] = 3,
    ["*(&y[3] + 1)"] = 4, ["(&y[3])[2]"] = 5 }
  for source, expected in pairs(cases) do t.assertEquals(value(source), expected, source) end
  for source, message in pairs { ["y + y"] = "two pointers", ["~1.5"] = "floating-point",
    ["1.5 << 2"] = "floating-point", ["1 << 1.5"] = "floating-point",
    ["y[1.5]"] = "an index is a whole number", ["019"] = "not a number",
    [("("):rep(30000) .. "n"] = "too long", [("-~"):rep(900) .. "n"] = "too long",
    ["n" .. ("+n"):rep(400)] = "too long" } do
    local ok, e = pcall(d.evaluate, d, source)
    t.assertFalse(ok, source)
    t.assertStrContains(e.message, message)
  end
end

-- Another function has other registers of the same names.
function TestCondition.test_a_watch_is_of_its_function()
  local source = [[__device__ __noinline__ int inner(int a, int n) {
  int b = a;
  for (int i = 0; i < n; i++)
    b = b * 3 + i;
  return b;
}
__device__ __noinline__ int outer(int a, int n) {
  int c = a + n;
  c = inner(c, n);
  return c;
}
extern "C" __global__ void calls(int *out, int n) {
  out[threadIdx.x] = outer(threadIdx.x, n);
}]]
  local out = gpu.buffer("int", 128, { name = "out", fill = 0 })
  local d = open(source, "calls", { out, 4 }, { options = { "-G" } })
  repeat d:go "line" until d.moment.line == 9
  d:watch "a" -- inner writes its own register of that name
  t.assertEquals(d:go("on").halt, "block ended")
end

os.exit(t.LuaUnit.run("--output", "tap"), true)
