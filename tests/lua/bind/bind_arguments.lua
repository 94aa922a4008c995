-- Arguments as kernels from anywhere take them: structures, places in buffers, vectors, half precision, files.
local t = require "luaunit"
local refuses = dofile((arg[0]:match("^(.*)/") or ".") .. "/refuses.lua")

if not gpu.device.nvrtc then
  print("1..0 # SKIP NVRTC is needed")
  os.exit(0)
end

local SOURCE <const> = [[
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#define LAYERS 3
typedef float real;
enum Mode { COPY, ADD };
struct Size { unsigned w, h; };
struct View { real *data; int n; bool on; Mode mode; Size size; double scale[LAYERS]; float4 tint; char tag, tail; };
struct Large { float a[1000]; };
template <class T> struct Pair { T a, b; };
__global__ void view(View v, float *o) {
  o[0] = v.data[1]; o[1] = v.n; o[2] = v.on; o[3] = v.mode; o[4] = v.size.h; o[5] = v.scale[2]; o[6] = v.tint.w; o[7] = v.tail;
  v.data[0] = 42;
}
__global__ void large(Large l, float *o) { *o = l.a[999]; }
__global__ void pair(Pair<float *> p, int *o) { *o = p.a[0] + p.b[1]; }
__global__ void put(int *p) { p[threadIdx.x] = threadIdx.x; }
__global__ void flags(bool a, int b, unsigned char *o) { o[0] = a; o[1] = b; }
__global__ void halves(__half a, __nv_bfloat16 b, __half *h, __nv_bfloat16 *f) { h[0] = a + h[1]; f[0] = b + f[1]; }
__global__ void vectors(float4 *p, int2 *q, double2 *r) { p[1].w = p[0].x; q[1] = make_int2(5, 6); r[0].y = 7; }
template <typename T> __constant__ T mask[4];
template <typename T, int N, bool B> __device__ T store[N];
template <typename T> __global__ void masked(T *o) { o[0] = mask<T>[1]; store<T, 2, true>[1] = o[0]; }
]]

local module = gpu.compile_text(SOURCE, { names = { "view", "large", "pair", "put", "flags", "halves", "vectors", "masked<float>" } })
local one <const> = { grid = 1, block = 1 }

TestStructures = {}

local function fields(data)
  return { data = data, n = 5, on = true, mode = 1, size = { w = 2, h = 3 }, scale = { 1, 2, 2.5 }, tint = { 1, 2, 3, 4 }, tag = 8,
    tail = 9 }
end

function TestStructures.test_by_the_names_of_the_source()
  local data, o = gpu.buffer("float", 4, { fill = 7 }), gpu.buffer("float", 8)
  module:kernel("view")(one)(fields(data), o)
  local got = {}
  for i = 0, 7 do got[i + 1] = o[i] end
  t.assertEquals(got, { 7.0, 5.0, 1.0, 1.0, 3.0, 2.5, 4.0, 9.0 })
  t.assertEquals(data[0], 42.0)
end

function TestStructures.test_in_order_and_at_a_place()
  local data, o = gpu.buffer("float", 4, { fill = "iota" }), gpu.buffer("float", 8)
  module:kernel("view")(one)({ data:at(2), 1, false, 0, { 1, 2 }, { 1, 2, 3 }, { 0, 0, 0, 6 }, 1, 2 }, o)
  t.assertEquals({ o[0], o[6] }, { 3.0, 6.0 })
  t.assertEquals(data[2], 42.0)
end

function TestStructures.test_packed()
  local o = gpu.buffer("float", 1)
  module:kernel("large")(one)(("f"):rep(1000):gsub("f", string.pack("f", 6)), o)
  t.assertEquals(o[0], 6.0)
  local a, b, sum = gpu.buffer("float", 2, { fill = 3 }), gpu.buffer("float", 2, { fill = "iota" }), gpu.buffer("int", 1)
  module:kernel("pair")(one)({ a, b }, sum)
  t.assertEquals(sum[0], 4)
  module:kernel("pair")(one)({ string.pack("i8", 0):sub(1, 0), a, b + 0 }, sum)
end

function TestStructures.test_what_does_not_fit_is_refused()
  local data, o = gpu.buffer("float", 4), gpu.buffer("float", 8)
  local view, large = module:kernel("view")(one), module:kernel("large")(one)
  local function with(change)
    local f = fields(data)
    change(f)
    return f
  end
  refuses("parameter 1 of view is View", view, "short", o)
  refuses("n: the field is missing", view, with(function(f) f.n = nil end), o)
  refuses("m: there is no such field", view, with(function(f) f.m = 1 end), o)
  refuses("n: number expected", view, with(function(f) f.n = "one" end), o)
  refuses("data: a buffer or 0 expected", view, with(function(f) f.data = 3 end), o)
  refuses("scale: a table of 3 values expected", view, with(function(f) f.scale = { 1, 2 } end), o)
  refuses("a string of 3 bytes", large, "abc", o)
  refuses("pieces of 8 bytes", module:kernel("pair")(one), { string.pack("i8", 0) }, gpu.buffer("int", 1))
  refuses("fields of the structure are not known", module:kernel("pair")(one), { a = data }, gpu.buffer("int", 1))
end

-- What a structure refers to is used as what a parameter refers to.
function TestStructures.test_checked_and_counted()
  local data, o = gpu.buffer("float", 1, { fill = 7 }), gpu.buffer("float", 8)
  local report = gpu.check(module:kernel("view"), one, { fields(data), o })
  t.assertEquals(#report.findings, 1)
  t.assertStrContains(report.findings[1].message, "past the end")
  data:free()
  refuses("closed buffer", module:kernel("view")(one), fields(data), o)
end

TestPointers = {}

-- An array of pointers holds each side's own addresses, and what it points to counts as passed.
function TestPointers.test_arrays_of_pointers()
  local k = gpu.compile_text([[
__global__ void rows(float **row, float *out, int n) {
  for (int i = 0; i < n; i++) {
    out[i] = row[i] ? row[i][threadIdx.x] : -1;
    if (row[i]) row[i][threadIdx.x] = 9;
  }
}]]):kernel("rows")
  local a, b, out = gpu.buffer("float", 4, { fill = 5 }), gpu.buffer("float", 4, { fill = "iota" }), gpu.buffer("float", 3)
  local table_of = gpu.buffer("unsigned long long", 3, { fill = 0 })
  table_of:upload { a, b:at(2), 0 }
  t.assertEquals(#gpu.check(k, one, { table_of, out, 3 }).findings, 0)
  a:fill(5)
  b:fill("iota")
  k(one)(table_of, out, 3)
  t.assertEquals({ out[0], out[1], out[2], a[0], b[2] }, { 5.0, 2.0, -1.0, 9.0, 9.0 })
  table_of:upload({ 0, b }, 1)
  k(one)(table_of, out, 3)
  t.assertEquals({ out[0], out[1], out[2] }, { 9.0, -1.0, 0.0 })
  a:free()
  refuses("a buffer or 0 expected", table_of.upload, table_of, { b, 3 })
  refuses("unsigned long long", out.upload, out, { b })
  refuses("closed buffer", table_of.upload, table_of, { a })
end

TestArguments = {}

function TestArguments.test_places_in_buffers()
  local b = gpu.buffer("int", 64, { fill = 0, name = "b" })
  module:kernel("put") { grid = 1, block = 16 }(b + 32)
  module:kernel("put") { grid = 1, block = 2 }(b:at(62))
  t.assertEquals({ b[32], b[47], b[48], b[62], b[63] }, { 0, 15, 0, 0, 1 })
  refuses("element 65 is outside", b.at, b, 65)
  refuses("out of bounds", function() module:kernel("put") { grid = 1, block = 2 }(b:at(63)) end)
end

-- A list that no message has room for is refused in words, whichever list it is.
function TestArguments.test_lists_that_are_too_long()
  local many = {}
  for i = 1, 100000 do many[i] = "-Dx" .. i end
  for _, name in ipairs { "options", "names" } do
    refuses(name .. " are too many: at most 65536", gpu.compile_text, "__global__ void k() {}", { [name] = many })
  end
end

function TestArguments.test_booleans()
  local o = gpu.buffer("unsigned char", 2)
  module:kernel("flags")(one)(true, true, o)
  t.assertEquals({ o[0], o[1] }, { 1, 1 })
  module:kernel("flags")(one)(false, 7, o)
  t.assertEquals({ o[0], o[1] }, { 0, 7 })
end

function TestArguments.test_half_precision()
  local h, f = gpu.buffer("half", 2, { fill = 0.5 }), gpu.buffer("bfloat16", 2, { fill = 1.5 })
  module:kernel("halves")(one)(2, 3, h, f)
  t.assertEquals({ h[0], f[0] }, { 2.5, 4.5 })
  f[0] = 1.00390625 -- half way between two values: to the even one
  t.assertEquals(f[0], 1.0)
  local floats = gpu.buffer("float", 2)
  refuses("is __half*: a buffer of half expected, got a buffer of float", module:kernel("halves")(one), 2, 3, floats, f)
  refuses("is __nv_bfloat16*: a buffer of bfloat16 expected, got a buffer of half", module:kernel("halves")(one), 2, 3, h, h)
end

function TestArguments.test_vectors()
  local p, q, r = gpu.buffer("float4", 2, { fill = "iota" }), gpu.buffer("int2", 2, { fill = 0 }), gpu.buffer("double2", 1, { fill = 0 })
  p[0] = { 9, 8, 7, 6 }
  module:kernel("vectors")(one)(p, q, r)
  t.assertEquals({ #p, #q, p.type, q.type }, { 2, 2, "float4", "int2" })
  t.assertEquals(p[1], { 4.0, 5.0, 6.0, 9.0 })
  t.assertEquals(q[1], { 5, 6 })
  t.assertEquals(#p:download(1), 4)
  t.assertEquals(tostring(p), "buffer float4[2]")
  module:kernel("vectors")(one)(gpu.buffer("float", 8), q, r) -- whose elements are the components
  refuses("double2*", module:kernel("vectors")(one), p, q, p)
  refuses("a table of 4 numbers", function() p[0] = 1 end)
  refuses("unknown element type 'float5'", gpu.buffer, "float5", 2)
end

function TestArguments.test_variables_of_templates()
  module:symbol("mask<float>"):upload({ 1, 2, 3, 4 }, "float")
  local o = gpu.buffer("float", 1)
  module:kernel("masked<float>")(one)(o)
  t.assertEquals(o[0], 2.0)
  t.assertEquals(module:symbol("store<float, 2, true>"):download("float")[1], 2.0)
  refuses("no variable \"mask<int>\"", module.symbol, module, "mask<int>")
end

TestFiles = {}

function TestFiles.setUp() TestFiles.path = os.tmpname() .. ".npy" end
function TestFiles.tearDown() os.remove(TestFiles.path) end

local function put(path, content)
  local file <close> = assert(io.open(path, "wb"))
  file:write(content)
end

function TestFiles.test_strings()
  local b = gpu.buffer("int", 4, { fill = 0 })
  b:upload(string.pack("i4i4", 5, 6), 1)
  t.assertEquals({ b[0], b[1], b[2], b[3] }, { 0, 5, 6, 0 })
  refuses("whole elements of 4 bytes", b.upload, b, "abc")
  refuses("do not fit", b.upload, b, ("x"):rep(20))
end

function TestFiles.test_numpy()
  local path = TestFiles.path
  local a, b = gpu.buffer("float4", 3, { fill = "iota" }), gpu.buffer("float", 12)
  a:save(path)
  t.assertEquals(b:load(path), 12)
  t.assertEquals(b[11], 11.0)
  local file <close> = assert(io.open(path, "rb"))
  local header = file:read(128)
  t.assertStrContains(header, "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }")
  t.assertEquals(header:byte(128), 10) -- the elements begin at a multiple of 64
  refuses("a buffer of int takes '<i4'", gpu.buffer("int", 12).load, gpu.buffer("int", 12), path)
  refuses("room for 2", gpu.buffer("float", 2).load, gpu.buffer("float", 2), path)
end

function TestFiles.test_bytes()
  local path = TestFiles.path .. ".bin"
  local a, b = gpu.buffer("short", 3, { fill = "iota" }), gpu.buffer("short", 4, { fill = 9 })
  a:save(path)
  t.assertEquals(b:load(path, 1), 3)
  t.assertEquals({ b[0], b[3] }, { 9, 2 })
  os.remove(path)
  refuses("cannot", b.load, b, path)
  put(path, "abc")
  refuses("not whole elements of 2 bytes", b.load, b, path)
  os.remove(path)
  refuses("cannot read /dev/zero: it is not a regular file", b.load, b, "/dev/zero")
  refuses("cannot read /: it is a folder", b.load, b, "/")
end

function TestFiles.test_damaged()
  local path, b = TestFiles.path, gpu.buffer("float", 4)
  local head = "{'descr': '<f4', 'fortran_order': %s, 'shape': (%s), }\n"
  local function npy(dict) return "\x93NUMPY\1\0" .. string.pack("<s2", dict) end
  for _, case in ipairs {
    { "\x93NUMPY\1\0", "damaged" }, { npy("{}"), "damaged" }, { npy(head:format("False", "9999999999999999999,")), "room" },
    { npy(head:format("True", "2,")), "fortran_order" }, { npy(head:format("False", "2,")), "ends before" },
    { "\x93NUMPY\2\0\255\255\255\255{", "damaged" }, { "abc", "is not a .npy file" }, { "", "it is empty" },
    { ("x"):rep(8), "is not a .npy file" } } do
    put(path, case[1])
    local ok, e = pcall(b.load, b, path)
    t.assertFalse(ok, case[2])
    t.assertNotNil(tostring(e):find(case[2], 1, true) or tostring(e):find("damaged", 1, true), tostring(e))
  end
end

os.exit(t.LuaUnit.run("-o", "tap"), true)
