-- What print computes: constants, types and operators as C has them; and what watch follows, from place to place.
local t = require "luaunit"
local debugger = require "gpulab.warp.debugger"

local TYPES <const> = [[struct node { int v; unsigned char c; short s[3]; node *next; };
extern "C" __global__ void types(int *out, float *f, node *list, int n) {
  __shared__ float tile[4][8];
  unsigned char uc = threadIdx.x;
  short sh = -(int)threadIdx.x;
  unsigned u = threadIdx.x;
  double d = 0.1;
  tile[threadIdx.x / 8][threadIdx.x % 8] = threadIdx.x * 0.5f;
  __syncthreads();
  out[threadIdx.x] = uc + sh + u + (int)d + f[0] + tile[n][0] + list->v;
}]]

local function types()
  local args = { gpu.buffer("int", 32), gpu.buffer("float", 32, { fill = "iota" }),
    gpu.buffer("float", 32, { fill = 0 }), 3 }
  local kernel = gpu.compile_text(TYPES, { options = { "-G" } }):kernel "types"
  local d = debugger.open(kernel, { grid = 1, block = 32 }, args, "types")
  d:stop_at("10", nil, true)
  d:go "on"
  return d
end

TestPrint = {}

local function check(d, cases)
  for source, expected in pairs(cases) do
    local ok, read = pcall(d.evaluate, d, source)
    t.assertTrue(ok, ("%s: %s"):format(source, ok or read.message or read))
    t.assertEquals(read.lanes[5], expected, source)
  end
end

function TestPrint.test_constants()
  check(types(), { ["'a'"] = 97, ["'\\n'"] = 10, ["'\\''"] = 39, ["'\\\\'"] = 92, ["'\\x41'"] = 65, ["'\\101'"] = 65,
    ["'\\0'"] = 0, ["'\"'"] = 34, ["1e-3"] = 0.001, ["5."] = 5.0, ["5.f"] = 5.0, [".5"] = 0.5, ["1e+2f"] = 100.0,
    ["0x1p-2"] = 0.25, ["0b101"] = 5, ["1'000"] = 1000, ["0xff'ff"] = 65535, ["18446744073709551615u"] = -1,
    ["2147483648"] = 2147483648, ["0x80000000"] = 2147483648, ["-2147483648"] = -2147483648, ["nullptr"] = 0,
    ["1ull << 40"] = 1 << 40, ["0"] = 0, ["07"] = 7 })
end

function TestPrint.test_types()
  check(types(), { ["sizeof(int)"] = 4, ["sizeof(char)"] = 1, ["sizeof(unsigned long long)"] = 8, ["sizeof tile"] = 128,
    ["sizeof tile[0]"] = 32, ["sizeof tile / sizeof tile[0][0]"] = 32, ["sizeof(struct node)"] = 24,
    ["sizeof(node *)"] = 8, ["sizeof(float4)"] = 16, ["sizeof uc"] = 1, ["sizeof(uc + 1)"] = 4, ["sizeof d"] = 8,
    ["sizeof *f"] = 4, ["sizeof f"] = 8, ["sizeof list->s"] = 6, ["sizeof *list"] = 24, ["sizeof threadIdx"] = 12,
    ["uc - 6 < 0"] = 1, ["(unsigned char)0 - 1"] = -1, ["u - 6"] = 0xffffffff, ["-u"] = 0xfffffffb, ["~uc"] = -6,
    ["sh / 2"] = -2, ["sh >> 1"] = -3, ["sh % 3"] = -2, ["2147483647 + 1"] = -2147483648, ["-1 < 1u"] = 0,
    ["(unsigned)-1 == -1"] = 1, ["(long)u * -1"] = -5, ["1 / 2 * 2.0"] = 0.0, ["0.1f == 0.1"] = 0, ["d == 0.1"] = 1,
    ["(float)n / 2"] = 1.5, ["1 ? 2.5 : 3"] = 2.5, ["u > 3 ? 'x' : 'y'"] = 120, ["int(2.7)"] = 2,
    ["float(n) / 2"] = 1.5,
    ["static_cast<int>(-2.7)"] = -2, ["true - 2"] = -1, ["u && n"] = 1, ["!u || !n"] = 0, ["u ^ 3 | 8 & 12"] = 14,
    ["16777217 + 0.0f"] = 16777216.0 })
end

function TestPrint.test_places()
  check(types(), { ["*f"] = 0.0, ["f[u]"] = 5.0, ["*(f + u)"] = 5.0, ["&f[3] - f"] = 3,
    ["f == &f[0]"] = 1, ["tile[1][2]"] = 5.0, ["*(int *)&tile[0][1]"] = 0x3f000000, ["&tile[1][0] - &tile[0][0]"] = 8,
    ["**tile"] = 0.0, ["*(&tile[0][3] - 1)"] = 1.0, ["list->v"] = 0, ["(*list).c"] = 0, ["list->s[2] + 1"] = 1,
    ["list->next == nullptr"] = 1, ["f ? 1 : 2"] = 1, ["*(n ? f + 1 : f)"] = 1.0,
    ["((float *)list)[3] == list->v"] = 1 })
end

function TestPrint.test_what_is_refused()
  local d = types()
  for source, message in pairs { ["5f"] = "not a number", ["08"] = "not a number", ["0x"] = "not a number",
    ["1.2.3"] = "not a number", ["1e"] = "not a number", ["1lul"] = "not a number",
    ["''"] = "not a number or character",
    ["'ab'"] = "not a number or character", ["'\\q'"] = "not a number or character", ["'a"] = "not expected",
    ["\"abc\""] = "not expected", ["99999999999999999999"] = "not a number", ["1, 2"] = "not expected",
    ["n = 3"] = "changes nothing", ["n += 3"] = "changes nothing", ["n++"] = "changes nothing",
    ["--n"] = "changes nothing", ["sqrtf(2)"] = "calls no functions", ["-f"] = "does not take pointers",
    ["f * 2"] = "does not take pointers", ["f + 1.5"] = "whole numbers", ["&n"] = "only what is in memory",
    ["*5"] = "only arrays and pointers", ["(float *)1.5"] = "not cast to a pointer",
    ["sizeof()"] = "not expected",
    ["sizeof("] = "ends too early", ["((("] = "ends too early", ["1 +"] = "ends too early",
    ["1 ? 2"] = "\":\" expected",
    ["static_cast<"] = "a type expected", ["n.x"] = "no structure", ["f->x"] = "no structure",
    ["list->w"] = "there is no member w", ["threadIdx.w"] = "there is no member w", ["%q5"] = "not a register",
    ["%"] = "not expected", ["@"] = "not expected", [""] = "expression is missing" } do
    local ok, e = pcall(d.evaluate, d, source)
    t.assertFalse(ok, source)
    t.assertStrContains(type(e) == "table" and e.message or e, message)
  end
  t.assertStrContains(d:evaluate("n / (n - 3)").trouble, "division by zero")
  t.assertStrContains(d:evaluate("n % 0").trouble, "division by zero")
  t.assertEquals(d:evaluate("12 / (u - 2)").lanes, { [0] = 0, 0, [3] = 12, [4] = 6, [5] = 4, [6] = 3, [7] = 2, [8] = 2,
    [9] = 1, [10] = 1, [11] = 1, [12] = 1, [13] = 1, [14] = 1, [15] = 0, [16] = 0, [17] = 0, [18] = 0, [19] = 0,
    [20] = 0, [21] = 0, [22] = 0, [23] = 0, [24] = 0, [25] = 0, [26] = 0, [27] = 0, [28] = 0, [29] = 0, [30] = 0,
    [31] = 0 })
end

-- names -------------------------------------------------------------------------------------------

local TEMPLATES <const> = [[template <int W, typename T> __device__ __noinline__ T times(T v) {
  T u = v * W;
  return u + 1;
}
template <int M> __device__ float inlined(float v) {
  float w = v * M;
  return w * v;
}
enum kind { FIRST, SECOND };
template <typename T, int N, kind K> __global__ void templates(T *out) {
  T x = times<5>(out[threadIdx.x]);
  x += inlined<7>(out[N]);
  if (threadIdx.x % 2)
    x = x + N;
  else
    x = x - K;
  out[threadIdx.x] = x;
}]]

-- Each function has its own arguments, not those of the kernel.
function TestPrint.test_arguments_of_templates()
  local out = gpu.buffer("float", 32, { fill = 2 })
  for _, options in ipairs { {}, { options = { "-G" } } } do
    options.names = { "templates<float,3,SECOND>" }
    local kernel = gpu.compile_text(TEMPLATES, options):kernel "templates<float,3,SECOND>"
    local d = debugger.open(kernel, { grid = 1, block = 32 }, { out }, "templates")
    for line, cases in pairs { [3] = { W = 5, v = 2.0 }, [6] = { M = 7 },
      [12] = { N = 3, K = 1, ["sizeof(T)"] = 4, ["*out"] = 2.0 } } do
      d:restart()
      d:delete()
      d:stop_at(tostring(line))
      d:go "on"
      t.assertEquals(d.moment.line, line)
      check(d, cases)
    end
  end
end

-- Lanes on both sides of a branch have a variable in different registers.
function TestPrint.test_lanes_that_wait_elsewhere()
  local kernel = gpu.compile_text(TEMPLATES, { options = { "-G" }, names = { "templates<float,3,SECOND>" } })
    :kernel "templates<float,3,SECOND>"
  local d = debugger.open(kernel, { grid = 1, block = 32 }, { gpu.buffer("float", 32, { fill = 2 }) }, "templates")
  d:stop_at "17"
  d:go "on" -- x = 5 * 2 + 1 + 28
  t.assertEquals({ d:evaluate("x").lanes[0], d:evaluate("x").lanes[1] }, { 38, 42 })
  repeat
    d:go("instruction", { back = true })
    local x = d:evaluate("x").lanes
    t.assertTrue(x[0] == 39 or x[0] == 38 or x[0] == nil, d.moment.instruction)
    t.assertTrue(x[1] == 39 or x[1] == 42 or x[1] == nil, d.moment.instruction)
  until d.moment.line == 13
  t.assertEquals(d.moment.mask, 0xaaaaaaaa)
  for _, v in ipairs(d:locals()) do
    if v.name == "x" then t.assertEquals({ v.read.lanes[0], v.read.lanes[1] }, { 39, 39 }) end
  end
end

-- stop at fault ----------------------------------------------------------------------------------

TestFault = {}

-- In a grid of many blocks it is found by halves.
function TestFault.test_the_first_block_that_faults()
  local kernel = gpu.compile_text([[extern "C" __global__ void faults(int *out, int bad) {
    if (blockIdx.x >= bad && threadIdx.x == 3) out[1000] = 2;
  }]]):kernel "faults"
  for _, bad in ipairs { 0, 1, 2, 1499, 2998, 2999, 5000 } do
    local d = debugger.open(kernel, { grid = 3000, block = 32 }, { gpu.buffer("int", 32), bad }, "faults")
    local found = d:to_fault()
    t.assertEquals({ found, d.block, found and d.lane }, bad < 3000 and { true, bad, 3 } or { false, 0, false })
    d:close()
  end
end

-- watch -------------------------------------------------------------------------------------------

local MOVES <const> = [[__device__ int fact(int n) {
  int r = 1;
  if (n > 1)
    r = n * fact(n - 1);
  return r;
}
extern "C" __global__ void moves(int *out, int n) {
  int x = threadIdx.x;
  int y = n;
  for (int i = 0; i < 4; i++) {
    x = x * 3 + i;
    if (x % 2)
      y = y + x;
    else
      y = y - 1;
    out[threadIdx.x] = y;
  }
  x = fact(n) + y;
  out[threadIdx.x] += x;
}]]

local function moves(options, where)
  local kernel = gpu.compile_text(MOVES, options):kernel "moves"
  local d = debugger.open(kernel, { grid = 1, block = 1 }, { gpu.buffer("int", 1, { fill = 0 }), 4 }, "moves")
  d:stop_at(where, nil, true)
  d:go "on"
  return d
end

TestWatch = {}

-- Debug information has it in another register after nearly each line.
function TestWatch.test_a_variable_that_moves()
  for variable, expected in pairs { y = { 3, 4, 9, 8 }, x = { 1, 5, 18, 32 } } do
    local d, found = moves({ options = { "-G" } }, "11"), {}
    t.assertNil(d:watch(variable).unknown)
    for _ = 1, 10 do
      if d:go("on").halt ~= "stop" then break end
      found[#found + 1] = d:evaluate(variable).lanes[0]
    end
    t.assertEquals(found, expected, variable)
    for i = #expected, 1, -1 do
      t.assertEquals(d:go("on", { back = true }).halt, "stop")
      t.assertEquals(d:evaluate(variable).lanes[0], expected[i], variable)
    end
    t.assertEquals(d:go("on", { back = true }).halt, "begin")
  end
end

-- The calls of a recursion have variables of one name.
function TestWatch.test_a_call()
  local d = moves({ options = { "-G" } }, "4")
  d:watch "r"
  t.assertEquals(d:go("on").halt, "stop")
  t.assertEquals({ #d.moment.frames, d:evaluate("r").lanes[0] }, { 2, 24 })
  t.assertEquals(d:go("on").halt, "block ended")
end

os.exit(t.LuaUnit.run("--output", "tap"), true)
