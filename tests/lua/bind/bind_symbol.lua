-- Module variables: names, uploads, downloads, worker restarts, and hostile arguments. Needs NVRTC.
local t = require "luaunit"
local refuses = dofile((arg[0]:match("^(.*)/") or ".") .. "/refuses.lua")

if not gpu.device.nvrtc then
  print("1..0 # SKIP NVRTC is needed")
  os.exit(0)
end

local SOURCE <const> = [[
namespace lab { __constant__ float taps[3]; __device__ int deep = 7; }
namespace other { __device__ int same; }
namespace another { __device__ int same; }
__constant__ float weights[4];
__constant__ float scale = 2.5f;
static __constant__ short hidden[2];
namespace { __device__ unsigned secret; }
__device__ unsigned long long counter;
__device__ float table[4] = {1, 2, 3, 4};
__device__ float *pointer = table + 1;
__global__ void weigh(float *out) {
	int i = threadIdx.x;
	out[i] = weights[i] * scale + hidden[i & 1];
	if (i == 0) out[0] += lab::taps[2];
}
__global__ void tick() {
	atomicAdd(&counter, 1ull);
	secret = 5;
	lab::deep += other::same + another::same;
}
__global__ void through(float *out) { out[threadIdx.x] = pointer[threadIdx.x]; }
__global__ void fault(int *p) { p[1 << 30] = 1; }
]]

local module = gpu.compile_text(SOURCE, { names = { "weigh", "tick", "through", "fault" } })
local weigh <const> = module:kernel "weigh"

TestSymbol = {}

function TestSymbol.test_names()
  for _, name in ipairs { "weights", "scale", "hidden", "counter", "table" } do
    t.assertEquals(module:symbol(name).name, name)
  end
  t.assertEquals(module:symbol("taps").name, "lab::taps")
  t.assertEquals(module:symbol("lab::taps").bytes, 12)
  t.assertEquals(module:symbol("secret").name, "secret")
  t.assertEquals(module:symbol("other::same").name, "other::same")
  t.assertTrue(module:symbol("weights").constant)
  t.assertFalse(module:symbol("counter").constant)
  t.assertStrContains(tostring(module:symbol "weights"), "16 bytes")
  refuses("several variables", module.symbol, module, "same")
  refuses('no variable "wieghts"', module.symbol, module, "wieghts")
  refuses('"weights"', module.symbol, module, "wieghts")
  refuses("no variable", module.symbol, module, "")
  refuses("no variable", module.symbol, module, ("x"):rep(5000))
  refuses("no variable", module.symbol, module, "_ZN99999999999999999999x")
  refuses("string expected", module.symbol, module)
end

function TestSymbol.test_constant_memory_is_read_by_the_kernel()
  local out <const> = gpu.buffer("float", 4)
  module:symbol("weights"):upload(gpu.array("float", 4, { 1, 2, 3, 4 }))
  module:symbol("hidden"):upload({ 10, 20 }, "short")
  module:symbol("taps"):upload({ 0, 0, 100 }, "float")
  weigh { grid = 1, block = 4 } (out)
  t.assertEquals({ out[0], out[1], out[2], out[3] }, { 112.5, 25.0, 17.5, 30.0 })
  module:symbol("scale"):upload(1)
  weigh { grid = 1, block = 4 } (out)
  t.assertEquals(out[3], 24.0)
  t.assertEquals(module:symbol("scale"):download()[0], 1.0)
  module:symbol("scale"):upload { 2.5 }
  t.assertEquals(module:symbol("weights"):download("float", 2)[1], 2.0)
  t.assertEquals(#module:symbol("weights"):download("float"), 4)
  t.assertEquals(#module:symbol("weights"):download("char"), 16)
end

function TestSymbol.test_part_of_a_variable()
  module:symbol("table"):upload({ 9 }, "float")
  local now = module:symbol("table"):download "float"
  t.assertEquals({ now[0], now[1], now[2], now[3] }, { 9.0, 2.0, 3.0, 4.0 })
  module:symbol("table"):upload({}, "float")
end

function TestSymbol.test_device_variables_keep_what_kernels_write()
  local counter <const> = module:symbol "counter"
  local tick <const> = module:kernel "tick"
  counter:upload(40)
  tick { grid = 1, block = 2 } ()
  t.assertEquals(counter:download()[0], 42)
  t.assertEquals(module:symbol("secret"):download()[0], 5)
  t.assertFalse(counter.stale)
end

function TestSymbol.test_addresses_in_variables()
  local out <const> = gpu.buffer("float", 2)
  module:symbol("table"):upload({ 1, 2, 3, 4 }, "float")
  module:kernel "through" { grid = 1, block = 2 } (out)
  t.assertEquals({ out[0], out[1] }, { 2.0, 3.0 })
end

function TestSymbol.test_counting_and_checking_see_them()
  local out <const> = gpu.buffer("float", 4)
  module:symbol("weights"):upload({ 4, 3, 2, 1 }, "float")
  local report = gpu.count(weigh, { grid = 1, block = 4 }, { out })
  t.assertEquals(report.outcome.status, "ok")
  report = gpu.check(weigh, { grid = 1, block = 4 }, { out })
  t.assertEquals(#report.findings, 0)
end

function TestSymbol.test_each_module_has_its_own()
  local second <const> = gpu.compile_text(SOURCE, { names = { "weigh" } })
  module:symbol("scale"):upload(8)
  second:symbol("scale"):upload(3)
  t.assertEquals(module:symbol("scale"):download()[0], 8.0)
  t.assertEquals(second:symbol("scale"):download()[0], 3.0)
  module:symbol("scale"):upload(2.5)
end

function TestSymbol.test_hostile_arguments()
  local weights <const> = module:symbol "weights"
  refuses("room for 4", weights.upload, weights, { 1, 2, 3, 4, 5 }, "float")
  refuses("room for 4", weights.upload, weights, gpu.array("float", 5))
  refuses("array is of type int", weights.upload, weights, gpu.array("int", 4), "float")
  refuses("element type expected", weights.upload, weights, { 1, 2 })
  refuses("element type expected", weights.download, weights)
  refuses("unknown element type", weights.download, weights, "flaot")
  refuses("0 to 4", weights.download, weights, "float", 5)
  refuses("0 to 4", weights.download, weights, "float", -1)
  refuses("number expected", weights.upload, weights, { 1, "x" }, "float")
  refuses("a string has its bytes", weights.upload, weights, "iota", "float")
  refuses("at most 16 bytes expected, this one has 17", weights.upload, weights, ("x"):rep(17))
  refuses("int does not fit the variable \"weights\": it is float", weights.upload, weights, { 1, 2 }, "int")
  refuses("int does not fit the variable \"weights\": it is float", weights.upload, weights, gpu.array("int", 4))
  refuses("float does not fit the variable \"counter\": it is unsigned long long", module:symbol("counter").upload,
    module:symbol("counter"), 1, "float")
  refuses("expected, got nil", weights.upload, weights)
  refuses("does not fit", weights.upload, weights, { 300 }, "unsigned char")
  refuses("gpulab.symbol expected", weights.upload, module, { 1 }, "float")
  t.assertEquals(#weights:download("float", 0), 0)
  t.assertNil(weights.nothing)
end

local STRUCTURES <const> = [[
struct S { char c; double d; float *p; };
__constant__ S one;
static __constant__ S several[2];
__constant__ float2 pairs[2];
__device__ float *place;
__device__ const float *rows[2];
typedef float real;
__constant__ real reals[2];
__global__ void read(float *o) {
  o[0] = one.d; o[1] = one.p ? one.p[1] : -1; o[2] = several[1].c; o[3] = pairs[1].y; o[4] = place ? place[0] : -1;
  o[5] = rows[1] ? rows[1][1] : -1; o[6] = reals[1];
  if (place) place[1] = 8;
}
template <class T> struct Box { T *at; };
__device__ Box<float> hidden_from;
__global__ void from_hidden(float *o) { o[0] = hidden_from.at[0]; }
__global__ void past(float *o) { o[threadIdx.x] = place[threadIdx.x]; }
__global__ void fault(int *p) { p[1 << 30] = 1; }
]]

local function numbers(b)
  local list = {}
  for i = 0, #b - 1 do list[i + 1] = b[i] end
  return list
end

local function set(m, device)
  local x, y = device:buffer("float", 2, { fill = "iota" }), device:buffer("float", 2, { fill = 5 })
  m:symbol("one"):upload { c = 1, d = 2.5, p = x }
  m:symbol("several"):upload { { 1, 2, 0 }, { c = 3, d = 4, p = 0 } }
  m:symbol("pairs"):upload { { 1, 2 }, { 3, 4 } }
  m:symbol("place"):upload { y }
  m:symbol("rows"):upload { 0, x }
  m:symbol("reals"):upload({ 6, 7 }, "float")
  return x, y
end

local READ <const> = { 2.5, 1.0, 3.0, 4.0, 5.0, 1.0, 7.0 }

function TestSymbol.test_structures_and_pointers()
  local m, o = gpu.compile_text(STRUCTURES), gpu.buffer("float", 7)
  local x, y = set(m, gpu.device)
  m:kernel("read") { grid = 1, block = 1 }(o)
  t.assertEquals(numbers(o), READ)
  t.assertEquals({ y[1], x[1] }, { 8.0, 1.0 })
  m:symbol("one"):upload(string.pack("<i1xxxxxxxdi8", 9, 7.5, 0))
  m:symbol("place"):upload { 0 }
  m:symbol("hidden_from"):upload { y }
  m:symbol("place"):upload({ y }, "unsigned long long")
  m:symbol("place"):upload { 0 }
  m:kernel("read") { grid = 1, block = 1 }(o)
  t.assertEquals({ o[0], o[1], o[4] }, { 7.5, -1.0, -1.0 })
  m:kernel("from_hidden") { grid = 1, block = 1 }(o)
  t.assertEquals(o[0], 5.0)
  local function wrong(said, name, ...) refuses(said, m:symbol(name).upload, m:symbol(name), ...) end
  wrong("a buffer of float expected, got a buffer of int", "place", { gpu.buffer("int", 1) })
  wrong("a table of 1 values expected", "place", { x, y })
  wrong("2 addresses do not fit the variable", "hidden_from", { x, y })
  wrong("addresses of buffers are of", "place", { y }, "float")
  wrong("d: the field is missing", "one", { c = 1 })
  wrong("int does not fit the variable \"one\": it is a structure", "one", { 1, 2 }, "int")
  wrong("it is a pointer, which { buffer } sets", "place", { 1 }, "float")
  wrong("int does not fit the variable \"reals\": it is float", "reals", { 1 }, "int")
end

-- Addresses in variables are each side's own: that of a checker, of the stepped copy, and of a new worker.
function TestSymbol.test_pointers_on_every_side()
  local device <const> = gpu.device.backend == "emu" and gpu.open "worker:emu" or gpu.device
  local m <const>, o <const> = device:compile_text(STRUCTURES), device:buffer("float", 7)
  local _, y = set(m, device)
  t.assertEquals(#device:check(m:kernel "read", { grid = 1, block = 1 }, { o }).findings, 0)
  local report = device:check(m:kernel "past", { grid = 1, block = 3 }, { o })
  t.assertEquals(#report.findings, 1)
  t.assertStrContains(report.findings[1].message, "past the end")
  local s <close> = device:step(m:kernel "read", { grid = 1, block = 1 }, { o })
  local halt
  repeat halt = s:go({ way = "on" }).halt until halt ~= "stop"
  t.assertEquals(halt, "block ended")
  y:fill(5)
  if gpu.device.backend == "emu" then
    local pid = io.popen("pgrep -P $PPID -n gpulab-worker"):read "n"
    if not pid then t.skip "pgrep is needed" end
    os.execute("kill -9 " .. pid)
  else
    m:kernel("fault"):launch({ grid = 1, block = 1 }, device:buffer("int", 1))
  end
  m:kernel("read") { grid = 1, block = 1 }(o)
  t.assertEquals(numbers(o), READ)
end

function TestSymbol.test_files()
  local path <const> = os.tmpname() .. ".npy"
  local weights <const> = module:symbol "weights"
  gpu.buffer("float", 4, { fill = "iota" }):save(path)
  t.assertEquals(weights:load(path), 4)
  t.assertEquals(weights:download("float")[3], 3.0)
  refuses("takes '<i4'", module:symbol("secret").load, module:symbol("secret"), path, "int")
  refuses("it is float", weights.load, weights, path, "int")
  gpu.buffer("float", 5, { fill = 1 }):save(path)
  refuses("has 5 elements, and the variable \"weights\" room for 4", weights.load, weights, path)
  os.remove(path)
  refuses("cannot read /dev/zero: it is not a regular file", weights.load, weights, "/dev/zero")
end

function TestSymbol.test_closed_with_its_device()
  local device <const> = gpu.open(gpu.device.name)
  local symbol <const> = device:compile_text(SOURCE, { names = { "weigh" } }):symbol "weights"
  device:close()
  refuses("closed with its module", symbol.download, symbol, "float")
  refuses("closed with its module", symbol.upload, symbol, { 1 }, "float")
  t.assertTrue(symbol.stale)
  t.assertEquals(symbol.bytes, 16)
end

function TestSymbol.test_survives_a_worker_that_died()
  local device <const> = gpu.device.backend == "emu" and gpu.open "worker:emu" or gpu.device
  local m <const> = device:compile_text(SOURCE, { names = { "weigh", "tick", "fault" } })
  local out <const> = device:buffer("float", 4)
  m:symbol("weights"):upload({ 1, 2, 3, 4 }, "float")
  m:symbol("counter"):upload(1)
  m:kernel "tick" { grid = 1, block = 1 } ()
  t.assertEquals(m:symbol("counter"):download()[0], 2)
  if gpu.device.backend == "emu" then
    local pid = io.popen("pgrep -P $PPID -n gpulab-worker"):read "n"
    if not pid then t.skip "pgrep is needed" end
    os.execute("kill -9 " .. pid)
  else
    local o = m:kernel("fault"):launch({ grid = 1, block = 1 }, device:buffer("int", 1))
    t.assertEquals(o.status, "fault")
  end
  m:kernel "weigh" { grid = 1, block = 4 } (out)
  t.assertEquals(out[3], 10.0)
  t.assertFalse(m:symbol("weights").stale)
  t.assertTrue(m:symbol("secret").stale == false)
end

os.exit(t.LuaUnit.run("-o", "tap"), true)
