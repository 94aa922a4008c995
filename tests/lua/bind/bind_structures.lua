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
  p:upload { 0, gpu.buffer("float", 1, { fill = 8 }) } -- which nothing else refers to
  collectgarbage()
  rows(p, o)
  t.assertEquals(o[0], 8.0)
end

-- Where the text alone does not say what a type is, buffers of numbers are taken.
function TestPointees.test_declarations_on_both_sides_of_a_condition()
  local m = gpu.compile_text([[
#ifdef DOUBLE
typedef double real;
struct P { double x; };
#else
typedef float real;
struct P { float x; };
#endif
typedef struct S S;
struct S {
  real *p;
  S *next;
};
struct R {
#ifdef DOUBLE
  double y;
#endif
  float x;
};
__global__ void k(S s, P *p, R *r, float *o) { o[0] = s.p[0] + p[0].x + r[0].x; }
]])
  local o, f = gpu.buffer("float", 1), gpu.buffer("float", 1, { fill = 2 })
  m:kernel("k")(one)({ f, 0 }, f, f, o)
  t.assertEquals(o[0], 6.0)
end

TestBuffers = {}

local structures <const> = gpu.compile_text([[
#ifdef TWO
struct Two { int a; double b; };
#else
struct Two { int a; };
#endif
#ifndef N
#define N 2
#endif
namespace lab { struct S { char c; double d; float m[2][2]; float *p; bool on; }; }
class Hidden { int a; float b; public: int c; };
struct Macro { int n[N]; };
struct Floats { float x, y; };
struct Mixed { float x; int n; };
__global__ void all(lab::S *s) {
  int i = threadIdx.x;
  s[i].d = s[i].m[1][0] + (s[i].p ? s[i].p[1] : 0);
  s[i].on = !s[i].on;
  s[i].c = sizeof(lab::S);
}
__global__ void two(Two *t) { t[0].a = 3; }
__global__ void hidden(Hidden *h) { h[1].c = 3; }
__global__ void macro(Macro *m) { m[1].n[2] = 3; }
__global__ void floats(Floats *f, float *q) { f[1].x = 3; q[0] = 7; }
__global__ void mixed(Mixed *m) { m[0].n = 5; }
int main() {}
]], { defines = { N = 3 } })

function TestBuffers.test_elements_by_their_fields()
  local b = structures:buffer("lab::S", 3, { name = "b", fill = 0 })
  t.assertEquals({ #b, b.bytes, b.type, tostring(b) }, { 3, 144, "S", 'buffer "b" S[3]' })
  local x = gpu.buffer("float", 2, { fill = 5 })
  b[1] = { c = 1, d = 2, m = { { 1, 2 }, { 3, 4 } }, p = x, on = true }
  b:upload({ { 7, 8, { 1, 2, 30, 4 }, 0, false } }, 2)
  t.assertEquals(b[2], { c = 7, d = 8.0, m = { { 1.0, 2.0 }, { 30.0, 4.0 } }, p = 0, on = false })
  structures:kernel("all") { grid = 1, block = 3 }(b)
  t.assertEquals({ b[0].d, b[1].d, b[2].d, b[0].on, b[1].on, b[2].c }, { 0.0, 8.0, 30.0, true, false, 48 })
  local some = b:download(1, 2)
  t.assertEquals({ #some, some[1].m, some[2].d }, { 2, { { 1.0, 2.0 }, { 3.0, 4.0 } }, 30.0 })
  t.assertTrue(some[1].p ~= 0)
  b:upload(string.pack("<i1xxxxxxxd", 9, 1.5) .. ("\0"):rep(32))
  t.assertEquals({ b[0].c, b[0].d }, { 9, 1.5 })
  b:fill(0)
  t.assertEquals({ b[1].d, b[1].p }, { 0.0, 0 })
  structures:kernel("all") { grid = 1, block = 2 }(b:at(1))
  t.assertEquals({ b[0].on, b[1].on, b[2].on }, { false, true, true })
end

-- Pointers in it are right on the side that checks, too.
function TestBuffers.test_checked()
  local b = structures:buffer("lab::S", 1, { fill = { { 0, 0, { 1, 2, 3, 4 }, gpu.buffer("float", 1, { fill = 5 }), true } } })
  local report = gpu.check(structures:kernel("all"), one, { b })
  t.assertEquals(#report.findings, 1)
  t.assertStrContains(report.findings[1].message, "past the end")
end

function TestBuffers.test_private_fields_and_first_contents()
  local h = structures:buffer("Hidden", 2, { fill = { { 1, 2, 3 }, { a = 4, b = 5, c = 6 } } })
  structures:kernel("hidden")(one)(h)
  t.assertEquals({ h[0], h[1] }, { { a = 1, b = 2.0, c = 3 }, { a = 4, b = 5.0, c = 3 } })
end

function TestBuffers.test_which_buffers_a_pointer_takes()
  local f, x, floats = structures:buffer("Floats", 2), gpu.buffer("float", 4), structures:kernel("floats")(one)
  floats(f, f)
  t.assertEquals({ f[0].x, f[1].x }, { 7.0, 3.0 })
  floats(x, x)
  floats(gpu.buffer("char", 16), x)
  t.assertEquals({ x[0], x[2] }, { 7.0, 3.0 })
  refuses('is Floats*: a buffer expected, got a buffer of int: module:buffer("Floats", count)', floats, gpu.buffer("int", 4), x)
  local m = structures:buffer("Mixed", 1, { name = "m" })
  refuses('is Floats*: a buffer expected, got the buffer "m" of Mixed', floats, m, x)
  refuses("is float*: a buffer of float expected, got", floats, f, m)
  refuses("is Mixed*: a buffer expected, got a buffer of float", structures:kernel("mixed")(one), x)
  structures:kernel("mixed")(one)(m)
  t.assertEquals(m[0].n, 5)
end

-- What the text says and what the compiler made of it are compared.
function TestBuffers.test_refused()
  refuses("the compiler lays it out differently", structures.buffer, structures, "Two", 2)
  refuses("the compiler lays it out differently", structures.buffer, structures, "Macro", 2)
  refuses("may need its namespaces", structures.buffer, structures, "S", 2)
  refuses("its declaration was not found", structures.buffer, structures, "None", 2)
  refuses('gpu.buffer("float4", count)', structures.buffer, structures, "float4", 2)
  refuses("at least 1 elements", structures.buffer, structures, "Floats", 0)
  refuses("more than any memory holds", structures.buffer, structures, "Floats", math.maxinteger)
  refuses("unknown field", structures.buffer, structures, "Floats", 1, { size = 1 })
  refuses("of a structure: k.NAME.module:buffer(name, count)", gpu.buffer, "Struct", 1)
  local f = structures:buffer("Floats", 2)
  refuses("[1]: a table of the fields of Floats expected, got number", f.upload, f, { 1, 2 })
  refuses("[2]: y: the field is missing", f.upload, f, { { 1, 2 }, { x = 1 } })
  refuses("3 elements do not fit the buffer: 2 of 2 from element 0 on", f.upload, f, { { 1, 2 }, { 1, 2 }, { 1, 2 } })
  refuses("whole elements of 8 bytes", f.upload, f, "abc")
  refuses("0, sentinel or a table of structures expected, got iota", f.fill, f, "iota")
  refuses("a table of 2 structures expected", f.fill, f, { { 1, 2 } })
  refuses("a table of the fields of Floats expected", function() f[0] = 1 end)
  refuses("index 2 is outside", function() return f[2] end)
end

-- The layout outlives the module that it came from.
function TestBuffers.test_without_the_module()
  local b
  do
    local m <close> = gpu.compile_text("struct Q { int a; }; __global__ void q(Q *q) { q->a = 1; }")
    b = m:buffer("Q", 1, { fill = 0 })
  end
  collectgarbage()
  b[0] = { a = 4 }
  t.assertEquals({ b[0].a, b.type }, { 4, "Q" })
end

os.exit(t.LuaUnit.run("-o", "tap"), true)
