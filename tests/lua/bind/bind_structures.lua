-- Structures as the compiler lays them out: what a table sets, a kernel reads by the names of the fields.
local t = require "luaunit"
local refuses = dofile((arg[0]:match("^(.*)/") or ".") .. "/refuses.lua")

if not gpu.device.nvrtc then
  print("1..0 # SKIP NVRTC is needed")
  os.exit(0)
end

local SOURCE <const> = [[
#define ALIGNED __align__(16)
#define DOUBLES alignas(double)
constexpr int WIDE = 32;
struct alignas(8) Eight { int x, y; char z; };
struct __align__(16) Sixteen { float x, y; char z; };
struct alignas(WIDE) Wide { char x; short y; int z; };
struct __attribute__((aligned(16))) Attribute { char x; int y; short z; };
struct Behind { char x; int y; short z; } __attribute__((aligned(32)));
struct __attribute__((aligned)) Largest { char x; int y; short z; };
struct ALIGNED Macro { char x; short y; int z; };
typedef struct __align__(8) { char x; short y; char z; } Named;
struct Members { char x; alignas(16) int y; char z __attribute__((aligned(8))); };
struct Typed { char x; DOUBLES int y; short z = 3; };
struct Base { int x; short y; __device__ int sum() const { return x + y; } short w; };
struct Derived : public Base { int z; };
struct Empty { static const int n = 1; };
struct FromEmpty : Empty { int x, y, z; };
enum Small : unsigned char { RED, GREEN };
struct Inside { enum Kind { A, B }; struct Part { int q; }; Small x; lab::Point y2; int y, z; };
struct Initial { int x = 1, y{2}, z = (1, 3); int n[2] = {1, 2}, last; };
struct Grid { char tag; float m[2][3]; int2 p[2][1]; };
struct Chain { Chain *next, *other; float **rows; Sixteen *parts; const float *__restrict__ a; void *any; int *b, c; };
struct Nest { Chain chain; const double *both[2]; };
union Either { int i; float f; };
struct Bits { int a : 3; int b : 5; };
struct WithUnion { int n; union { int i; float f; }; };
struct Two : Base, Empty { int n; };
struct Tail { int n; char c; };
struct AfterTail : Tail { char d; };
struct Virtual { int n; __device__ virtual int f() { return n; } };
#define READS(T) __global__ void T##_(T s, T *p, int *o) { \
  o[0] = s.x; o[1] = s.y; o[2] = s.z; o[3] = sizeof(T); if (p) { o[4] = p[1].x; o[5] = p[1].y; o[6] = p[1].z; } }
READS(Eight) READS(Sixteen) READS(Wide) READS(Attribute) READS(Behind) READS(Largest) READS(Macro) READS(Named)
READS(Members) READS(Typed) READS(Derived) READS(FromEmpty) READS(Inside)
__global__ void Initial_(Initial s, int *o) { o[0] = s.y; o[1] = s.z; o[2] = s.n[1]; o[3] = s.last; }
__global__ void Grid_(Grid g, float *o) { o[0] = g.m[1][0]; o[1] = g.m[0][2]; o[2] = g.p[1][0].y; }
__global__ void Nest_(Nest n, float *o) { o[0] = n.chain.a[0]; o[1] = n.chain.c; o[2] = n.both[1][0]; o[3] = n.chain.b[0]; }
__global__ void rows(float **p, float *o) { o[0] = p[1][0]; }
__global__ void either(Either e, int *o) { *o = e.i; }
__global__ void bits(Bits b, int *o) { *o = b.b; }
__global__ void with_union(WithUnion u, int *o) { *o = u.i; }
__global__ void two(Two v, int *o) { *o = v.n; }
__global__ void after_tail(AfterTail v, int *o) { *o = v.d; }
]]
local PARTS <const> = "namespace lab { struct Point { short x, y; }; }\n"

local module <const> = gpu.compile_text(PARTS .. SOURCE)
local one <const> = { grid = 1, block = 1 }

TestLayouts = {}

local function read(name, values, n)
  local o = gpu.buffer("int", 8, { fill = 0 })
  module:kernel(name .. "_")(one)(values, 0, o)
  t.assertEquals({ o[0], o[1], o[2] }, { 11, 12, 13 }, name)
  return o[n or 3]
end

function TestLayouts.test_alignments()
  for _, name in ipairs { "Eight", "Sixteen", "Wide", "Attribute", "Behind", "Largest", "Macro", "Named", "Members", "Typed" } do
    read(name, { x = 11, y = 12, z = 13 })
    read(name, { 11, 12, 13 })
  end
end

function TestLayouts.test_bases()
  read("Derived", { x = 11, y = 12, w = 1, z = 13 })
  read("Derived", { 11, 12, 1, 13 })
  read("FromEmpty", { 11, 12, 13 })
end

function TestLayouts.test_types_inside_and_initial_values()
  read("Inside", { x = 11, y2 = { 1, 2 }, y = 12, z = 13 })
  local o = gpu.buffer("int", 4)
  module:kernel("Initial_")(one)({ x = 5, y = 6, z = 7, n = { 8, 9 }, last = 10 }, o)
  t.assertEquals({ o[0], o[1], o[2], o[3] }, { 6, 7, 9, 10 })
end

function TestLayouts.test_arrays_of_arrays()
  local o, grid = gpu.buffer("float", 4), module:kernel("Grid_")(one)
  local p = { { { 1, 2 } }, { { 3, 4 } } }
  grid({ tag = 1, m = { { 1, 2, 3 }, { 4, 5, 6 } }, p = p }, o)
  t.assertEquals({ o[0], o[1], o[2] }, { 4.0, 3.0, 4.0 })
  grid({ 1, { 1, 2, 3, 4, 5, 6 }, p }, o)
  t.assertEquals({ o[0], o[1] }, { 4.0, 3.0 })
  refuses("m: a table of 2 tables expected", grid, { 1, { 1, 2, 3 }, p }, o)
  refuses("m: a table of 3 values expected", grid, { 1, { { 1, 2, 3 }, { 4, 5 } }, p }, o)
end

function TestLayouts.test_a_header_next_to_the_file()
  local folder = os.tmpname()
  os.remove(folder)
  assert(os.execute("mkdir " .. folder))
  local function put(name, text)
    local file <close> = assert(io.open(folder .. "/" .. name, "w"))
    file:write(text)
  end
  put("part.cuh", "#pragma once\nfloat hosts_own(int n) { return n; }\nstruct P { int n; float *d; float h() { return hosts_own(n); } };\n")
  put("all.cuh", '#pragma once\n#include "part.cuh"\nstruct Q { char c; P p; };\n')
  put("file.cu", '#include "all.cuh"\n__global__ void k(Q q, int *o) { o[0] = q.p.n; o[1] = q.p.d[1]; }\nint main() {}\n')
  for _ = 1, 2 do -- the second time from the cache
    local o = gpu.buffer("int", 2)
    gpu.compile(folder .. "/file.cu"):kernel("k")(one)({ c = 1, p = { n = 5, d = gpu.buffer("float", 2, { fill = "iota" }) } }, o)
    t.assertEquals({ o[0], o[1] }, { 5, 1 })
  end
  os.execute("rm -r " .. folder)
end

function TestLayouts.test_what_is_not_known_says_why()
  local o = gpu.buffer("int", 1)
  for kernel, why in pairs { either = "it is a union", bits = '"a" is a bit field', with_union = "it has a union",
    two = "several base classes", after_tail = "base class ends with padding" } do
    refuses("fields of the structure are not known (" , module:kernel(kernel)(one), { 1 }, o)
    refuses(why, module:kernel(kernel)(one), { 1 }, o)
  end
  module:kernel("either")(one)(string.pack("i4", 7), o)
  t.assertEquals(o[0], 7)
  module:kernel("bits")(one)(string.pack("i4", 2 << 3), o)
  t.assertEquals(o[0], 2)
end

TestPointees = {}

local function chain(change)
  local a = gpu.buffer("float", 2, { fill = 3 })
  local c = { next = 0, other = 0, rows = 0, parts = 0, a = a, any = a, b = gpu.buffer("int", 1, { fill = 6 }), c = 5 }
  for k, v in pairs(change or {}) do c[k] = v end
  return { chain = c, both = { 0, gpu.buffer("double", 1, { fill = 4 }) } }
end

function TestPointees.test_fields_that_are_pointers()
  local o, nest = gpu.buffer("float", 4), module:kernel("Nest_")(one)
  nest(chain(), o)
  t.assertEquals({ o[0], o[1], o[2], o[3] }, { 3.0, 5.0, 4.0, 6.0 })
  nest(chain { a = gpu.buffer("char", 8), b = gpu.buffer("unsigned", 1), any = gpu.buffer("half", 4) }, o)
  nest(chain { rows = gpu.buffer("unsigned long long", 1) }, o)
  refuses('a: a buffer of float expected, got the buffer "i" of int', nest,
    chain { a = gpu.buffer("int", 2, { name = "i" }) }, o)
  refuses("a: a buffer of float expected, got a buffer of half", nest, chain { a = gpu.buffer("half", 8):at(1) }, o)
  refuses("b: a buffer of int expected, got a buffer of float", nest, chain { b = gpu.buffer("float", 8) }, o)
  refuses("rows: a buffer of pointers expected, got a buffer of float", nest, chain { rows = gpu.buffer("float", 8) }, o)
  refuses("next: a buffer of Chain expected, got a buffer of float", nest, chain { next = gpu.buffer("float", 16) }, o)
  local texture = gpu.texture(gpu.buffer("float", 8))
  refuses("a: a buffer of float expected, got a texture", nest, chain { a = texture }, o)
  local bad = chain()
  bad.both[2] = gpu.buffer("float", 1)
  refuses("both: a buffer of double expected, got a buffer of float", nest, bad, o)
end

function TestPointees.test_pointers_to_pointers()
  local o, rows = gpu.buffer("float", 1), module:kernel("rows")(one)
  for _, type in ipairs { "float", "int", "double", "short", "float4" } do
    refuses("is float**: a buffer expected, got a buffer of", rows, gpu.buffer(type, 4), o)
    refuses("b:upload { x, y }", rows, gpu.buffer(type, 4), o)
  end
  local p = gpu.buffer("unsigned long long", 2)
  p:upload { 0, gpu.buffer("float", 1, { fill = 8 }) }
  rows(p, o)
  t.assertEquals(o[0], 8.0)
end

os.exit(t.LuaUnit.run("-o", "tap"), true)
