-- What the debugger makes of structures, pointers and large arrays: members at any depth, casts, variables at file
-- scope, enumerations, and the window on an array.
local t = require "luaunit"
local cxx = require "gpulab.warp.source.cxx"
local debugger = require "gpulab.warp.debugger"
local text = require "gpulab.base.text"
local window = require "gpulab.warp.window"

TestElements = {}

local SOURCE <const> = [[
struct Inner { int y; float w[3]; };
struct Point { float x, y; Inner a[4]; struct { short s; char c; } tail; Point *next; };
typedef struct { double d; Point p[2]; } Big;
union Bits { int i; float f; };
enum Color { RED, GREEN = 5, BLUE };
enum class Scoped : int { RED = 70 };
__device__ Point table[3];
__constant__ Inner fixed = { 9, { 1, 2, 3 } };
__device__ int *where, count = 4;
extern "C" __global__ void big(Big *b, float *out, const Point passed, int n) {
  __shared__ Point sh[4];
  Color color = n > 3 ? BLUE : RED;
  Inner mine;
  Bits u;
  int t = threadIdx.x;
  u.f = t;
  mine.y = 3 * t;
  for (int i = 0; i < 3; i++) mine.w[i] = t + i;
  if (t < 4) { sh[t].x = t; sh[t].a[1].y = 10 * t; sh[t].tail.s = -t; sh[t].next = &b->p[0]; table[t % 3].a[2].y = t; }
  __syncthreads();
  Big *q = b + t % 2;
  q->p[1].a[2].w[1] = 100 + t % 2;
  q->p[0].next = &b[1].p[1];
  out[t] = q->p[1].a[2].w[1] + sh[t % 4].a[1].y + passed.a[3].y + color + mine.w[2] + u.i + fixed.w[1] + table[1].x + count;
  out[t] += 1;
  where = &count;
}]]
local LINE <const> = 25 -- out[t] += 1

-- Point passed = {}; passed.a[3].y = 77: its size is 88 bytes.
local function point()
  return ("\0"):rep(8 + 3 * 16) .. string.pack("<i4", 77) .. ("\0"):rep(28)
end

local function at_line(options)
  local b = gpu.buffer("int", 2 * 184 // 4, { name = "b", fill = 0 })
  local out = gpu.buffer("float", 32, { name = "out", fill = 0 })
  local d = debugger.open(gpu.compile_text(SOURCE, options):kernel "big", { grid = 1, block = 32 },
    { b, out, point(), 9 }, "big")
  d:stop_at(tostring(LINE))
  t.assertEquals(d:go("on").halt, "stop")
  return d
end

local function value(d, source, lane)
  local read = d:evaluate(source)
  t.assertNotNil(read.lanes[lane or 0], source .. ": " .. (read.trouble or "no value"))
  return read.lanes[lane or 0]
end

local function refused(d, source, message)
  local ok, e = pcall(d.evaluate, d, source)
  t.assertFalse(ok, source)
  t.assertStrContains(e.message, message)
end

-- What optimized code and -G have in common: what is in memory.
local function shared_part(d)
  t.assertEquals(value(d, "sh[2].a[1].y"), 20)
  t.assertEquals(value(d, "sh[threadIdx.x % 4].tail.s", 3), -3)
  t.assertEquals(value(d, "sh[1].next->a[2].w[1]"), value(d, "b->p[0].a[2].w[1]"))
  t.assertEquals(value(d, "b[1].p[1].a[2].w[1]"), 101)
  t.assertEquals(value(d, "b->p[0].next->a[2].w[1]"), 101)
  t.assertEquals(value(d, "((Big *)b)[1].p[1].a[2].w[1]"), 101)
  t.assertEquals(value(d, "*(float *)&b[1].p[1].a[2].w[1]"), 101)
  t.assertEquals(value(d, "((const struct Point *)&b->p[1])->a[2].w[1]"), 100)
  t.assertEquals(value(d, "fixed.w[2]"), 3)
  t.assertEquals(value(d, "table[2].a[2].y"), 2)
  t.assertEquals(value(d, "count"), 4)
  t.assertEquals(value(d, "BLUE"), 6)
  t.assertEquals(value(d, "threadIdx.x", 7), 7)
  t.assertEquals(d:compile("threadIdx").record.names, { "x", "y", "z" })
  refused(d, "sh.x", "name an element")
  refused(d, "sh[0].nope", "the structure has x, y, a, tail, next")
  refused(d, "threadIdx.w", "the structure has x, y, z")
  refused(d, "(Point)sh[0]", "a structure is not cast")
  refused(d, "out[0].x", "no structure before")
end

function TestElements.test_members_of_any_depth_in_optimized_code()
  shared_part(at_line())
end

function TestElements.test_members_of_any_depth_without_optimization()
  local d = at_line { options = { "-G" } }
  shared_part(d)
  t.assertEquals(value(d, "passed.a[3].y"), 77)
  t.assertEquals(value(d, "mine.w[2]", 5), 7)
  t.assertEquals(value(d, "color == BLUE"), 1)
  t.assertEquals(value(d, "u.i", 1), 0x3f800000)
  t.assertEquals(value(d, "q->p[1].a[2].w[1]", 1), 101)
  local found = {}
  for _, v in ipairs(d:locals()) do found[v.name] = v end
  t.assertNil(found["passed.x"]) -- of 21 numbers: as a whole
  t.assertEquals(found.passed.value.record.names, { "x", "y", "a", "tail", "next" })
  t.assertEquals(found["mine.w[1]"].read.lanes[4], 5)
end

function TestElements.test_what_a_file_declares()
  local structures = cxx.structures(SOURCE)
  t.assertEquals(#structures.Point, 5)
  t.assertEquals(#structures.Point[4].members, 2)
  t.assertEquals(#structures.Big, 2)
  t.assertTrue(structures.Bits.union)
  t.assertNil(cxx.structures("struct A { struct { int x; }; int y; };").A) -- members of a structure without a name
  local constants = {}
  t.assertEquals(cxx.enumerations(SOURCE, constants), { Color = true, Scoped = true })
  t.assertEquals(constants.RED, "0")
  local variables = cxx.file_scope(SOURCE)
  t.assertEquals({ variables.table.space, variables.fixed.space, variables.where.pointer, variables.count.space },
    { "global", "const", true, "global" })
  t.assertNil(cxx.file_scope("__device__ float f(float x) { return x; }\n__device__ int *g(int);").f)
end

-- A pointer that differs among the lanes: the elements are those of one lane, not each lane's own one.
function TestElements.test_elements_are_of_one_lane()
  local source = [[extern "C" __global__ void rows(int *m) {
    int *row = m + 8 * threadIdx.x;
    row[0] += 1;
  }]]
  local m = gpu.buffer("int", 256, { name = "m", fill = "iota" })
  local d = debugger.open(gpu.compile_text(source, { options = { "-G" } }):kernel "rows", { grid = 1, block = 32 }, { m },
    "rows")
  d:stop_at "3"
  d:go "on"
  d.lane = 3
  local array = d:compile "row"
  array.dims = { 4 }
  local found, total, lane = d:elements(array)
  t.assertEquals({ found[0], found[1], found[2], found[3], total, lane }, { 24, 25, 26, 27, 4, 3 })
end

-- More than the stepper takes at once, and not all lanes run.
function TestElements.test_a_large_array_in_divergent_code()
  local source = [[extern "C" __global__ void large(int *out) {
    __shared__ int tile[50][40];
    for (int i = threadIdx.x; i < 2000; i += 32) tile[i / 40][i % 40] = i;
    __syncthreads();
    if (threadIdx.x < 3)
      out[threadIdx.x] = tile[threadIdx.x + 2][3];
  }]]
  local out = gpu.buffer("int", 32, { name = "out", fill = 0 })
  local d = debugger.open(gpu.compile_text(source):kernel "large", { grid = 1, block = 32 }, { out }, "large")
  d:stop_at("6", "threadIdx.x == 2")
  t.assertEquals(d:go("on").halt, "stop")
  local found, total = d:elements(d:compile "tile")
  t.assertEquals({ total, found[0], found[1999] }, { 2000, 0, 1999 })
  t.assertEquals(d:evaluate("1 / (threadIdx.x - threadIdx.x)").trouble, "division by zero")
end

function TestElements.test_a_pointer_to_pointers()
  local source = [[extern "C" __global__ void chase(int **list, int *out) {
    int *first = list[threadIdx.x];
    out[threadIdx.x] = first ? *first : 3;
  }]]
  local list, out = gpu.buffer("int", 64, { name = "list", fill = 0 }), gpu.buffer("int", 32, { name = "out", fill = 7 })
  for _, options in ipairs { {}, { options = { "-G" } } } do
    local d = debugger.open(gpu.compile_text(source, options):kernel "chase", { grid = 1, block = 32 }, { list, out },
      "chase")
    d:stop_at "3"
    d:go "on"
    t.assertEquals({ value(d, "list[1]"), value(d, "(int)list[1]"), value(d, "((float)list[1])") }, { 0, 0, 0 })
    t.assertEquals(d:compile("list[1]").type, "u64")
  end
end

-- The window -------------------------------------------------------------------------------------

local function seen(w, columns, height) return table.concat(w:lines(columns, height), "\n") end

function TestElements.test_a_window_is_where_the_lanes_are()
  local source = [[extern "C" __global__ void far(volatile float *y) {
    int i = 5000 + 2 * threadIdx.x;
    y[i] = i;
    y[i] += 1;
  }]]
  local y = gpu.buffer("float", 100000, { name = "y", fill = "iota" })
  gpu.buffer("float", 1 << 20, { name = "behind", fill = 0 }) -- is no part of y
  local d = debugger.open(gpu.compile_text(source):kernel "far", { grid = 1, block = 32 }, { y }, "far")
  d:stop_at "3"
  d:go "on"
  d.lane = 4
  local w = window.of(d, "y")
  local lines = seen(w, 80, 10)
  t.assertEquals(w.total, 100000)
  t.assertStrContains(lines, "5000* 5001  5002* 5003")
  t.assertStrContains(lines, "5008<")
  t.assertStrContains(lines, "* by all lanes at line 3: elements 5000 to 5062; < lane 4")
  w:go(99999)
  t.assertStrContains(seen(w, 80, 10), "99999")
  w:move(-1000)
  t.assertStrContains(seen(w, 80, 10), "line 3: elements 5000 to 5062")
  w:move(-100000)
  t.assertStrMatches(w:lines(80, 10)[3], " +0 +0 .*")
  w:follow()
  t.assertStrContains(seen(w, 40, 6), "5008<") -- on another size it stays there
  for _, line in ipairs(w:lines(40, 6)) do t.assertTrue(text.width(line) < 40, line) end
  local ok, e = pcall(window.of, d, "i")
  t.assertFalse(ok)
  t.assertStrContains(tostring(e.message), "neither an array nor a pointer")
end

function TestElements.test_a_window_on_structures_and_on_a_grid()
  local d = at_line { options = { "-G" } }
  local w = window.of(d, "sh")
  local lines = w:lines(80, 10)
  t.assertStrContains(lines[2], ".a[0].y")
  t.assertStrContains(lines[5], "[2]")
  w:move(0, 6)
  t.assertStrContains(seen(w, 80, 10), ".a[1].y")
  t.assertEquals(window.of(d, "q").own, 0)
  local null = pcall(window.of, d, "(float *)0")
  t.assertFalse(null)
end

-- The lines of a kernel may name any file; only what the kernel may include is shown.
function TestElements.test_files_that_a_kernel_names()
  local folder = os.tmpname()
  os.remove(folder)
  os.execute(("mkdir -p '%s/own'"):format(folder))
  local function write(name, content)
    local f <close> = io.open(folder .. "/" .. name, "w")
    f:write(content)
  end
  write("secret.txt", "one\ntwo\n")
  write("own/near.h", "first\nsecond\n")
  os.execute(("ln -s ../secret.txt '%s/own/link.h'"):format(folder))
  for name, shown in pairs { ["secret.txt"] = false, ["own/near.h"] = "second", ["own/link.h"] = false } do
    write("own/k.cu", ([[__global__ void k(int *y) {
#line 2 "%s/%s"
      y[threadIdx.x] = 1; }]]):format(folder, name))
    local y = gpu.buffer("int", 32, { name = "y", fill = 0 })
    local d = debugger.open(gpu.kernel(folder .. "/own/k.cu", "k"), { grid = 1, block = 32 }, { y }, "k")
    d:go "line"
    local frame = d.moment.frames[1]
    t.assertStrContains(frame.file, name)
    t.assertEquals(d:source_line(frame.file, frame.line) or false, shown)
  end
  os.execute(("rm -r '%s'"):format(folder))
end

function TestElements.test_an_address_is_watched()
  local source = [[extern "C" __global__ void store(int *y) {
    y[threadIdx.x] = 1;
    if (threadIdx.x == 7) y[40] = 2;
  }]]
  local y = gpu.buffer("int", 64, { name = "y", fill = 0 })
  local d = debugger.open(gpu.compile_text(source):kernel "store", { grid = 1, block = 32 }, { y }, "store")
  local address = value(d, "(unsigned long)&y[40]")
  d:watch(("0x%x"):format(address))
  local m = d:go "on"
  t.assertEquals({ m.halt, m.line }, { "stop", 3 })
  for _, constant in ipairs { "3", "warpSize * 2", "y[0] ? 1 : 2" } do
    t.assertEquals((pcall(d.watch, d, constant)), constant:find "y" ~= nil, constant)
  end
  d:go "on"
  refused(d, "y", "the warp has ended")
end

-- As after Ctrl-C: the warp in focus stands at a line while another one runs.
function TestElements.test_a_step_moves_the_warp_in_focus()
  local source = [[extern "C" __global__ void turns(int *out, int n) {
    int x = threadIdx.x;
    for (int i = 0; i < n; i++)
      x = x * 3 + i % (x | 1);
    out[threadIdx.x] = x;
  }]]
  local out = gpu.buffer("int", 128, { name = "out", fill = 0 })
  local d = debugger.open(gpu.compile_text(source):kernel "turns", { grid = 1, block = 128 }, { out, 1000 }, "turns")
  for time = 400, 500 do
    for _, way in ipairs { "line", "over", "instruction" } do
      d:go("time", { count = time })
      local before = d.moment.warps[1].instructions
      t.assertEquals(d:go(way).halt, "done")
      t.assertTrue(d.moment.warps[1].instructions > before, ("%s at %d"):format(way, time))
    end
  end
end

os.exit(t.LuaUnit.run("--output", "tap"), true)
