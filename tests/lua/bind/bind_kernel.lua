-- Modules, kernels, launches, counting and timing, with right and with hostile arguments, on whatever device --device names.
-- Needs NVRTC.
local t = require "luaunit"
local refuses = dofile((arg[0]:match("^(.*)/") or ".") .. "/refuses.lua")
local EMULATED <const> = gpu.device.backend == "emu"

if not gpu.device.nvrtc then
  print("1..0 # SKIP NVRTC is needed")
  os.exit(0)
end

local SOURCE <const> = [[
struct Pair { int a, b; };
__global__ void copy(float *out, const float *in, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) out[i] = in[i];
}
__global__ void store(long long *out, bool flag, char c, short s, int i, long long l, float f, double d) {
	out[0] = flag; out[1] = c; out[2] = s; out[3] = i; out[4] = l; out[5] = (long long)(f * 2); out[6] = (long long)(d * 4);
}
__global__ void pair(int *out, Pair p) { out[0] = p.a; out[1] = p.b; }
template <int K> __global__ void times(int *p) { p[threadIdx.x] *= K; }
__global__ void say(int x) { printf("# thread %d of %d\n", threadIdx.x, x); }
__global__ void forever(volatile int *p) { int n = 1; while (p[0] == 0) n++; p[0] = n; }
__global__ void nothing() {}
]]

local module = gpu.compile_text(SOURCE, { names = { "copy", "store", "pair", "times<3>", "say", "forever", "nothing" } })

TestWork = {}

-- An endless kernel ends after so much work, however long that takes; one within the limit does not notice.
function TestWork.test_work_limit()
  if not EMULATED then return end
  local p <close> = gpu.buffer("int", 32, { fill = 0 })
  local forever = module:kernel("forever")
  local outcome = forever:launch({ grid = 1, block = 32, work_limit = 1 << 20 }, p)
  t.assertEquals(outcome.status, "timeout")
  t.assertStrContains(outcome.message, "within 1048576 basic blocks")
  p:fill(1)
  t.assertEquals(forever:launch({ grid = 1, block = 32, work_limit = 1 << 20 }, p).status, "ok")
  t.assertError(forever.launch, forever, { grid = 1, block = 32, work_limit = -1 }, p)
end

-- One that waits for what no thread does ends at once, and says who waits where.
function TestWork.test_waits_that_never_end()
  if not EMULATED then return end
  local device <close> = gpu.open "emu:H200"
  local kernel = device:compile_text([[
__global__ void waits(unsigned arrivals, unsigned parity)
{
	__shared__ unsigned long long bar;
	const unsigned at = (unsigned)__cvta_generic_to_shared(&bar);
	if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at), "r"(arrivals) : "memory");
	__syncthreads();
	asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" ::"r"(at) : "memory");
	for (unsigned over = 0; !over;)
		asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
			: "=r"(over) : "r"(at), "r"(parity));
}
]]):kernel "waits"
  t.assertEquals(kernel:launch({ grid = 2, block = 64 }, 64, 0).status, "ok")
  local outcome = kernel:launch({ grid = 2, block = 64, timeout = 3600000 }, 65, 0)
  t.assertEquals(outcome.status, "timeout")
  t.assertStrMatches(outcome.message, "The kernel never ends: block %([01],0,0%), warp 0, was at <prompt>:%d+ after .*")
  t.assertStrMatches(outcome.message, ".* Every warp waits for another. In this block 2 warps wait in line %d+ for an mbarrier. Threads "
    .. "wait at an mbarrier whose phase never ends: 1 of 65 arrivals are missing.")
  t.assertStrContains(kernel:launch({ grid = 2, block = 64, timeout = 3600000 }, 64, 1).message, "64 of 64 arrivals are missing. "
    .. "They wait for the current phase, of parity 1; the one before, of parity 0, is complete.")
end

TestModule = {}

-- What is compiled ahead a kernel finds in the cache; a mistake is told by whoever compiles.
function TestModule.test_uses_of_parameters()
  local m = gpu.compile_text [[
__global__ void k(float *out, const float *in, int n, int *sum) {
  out[threadIdx.x] = in[threadIdx.x];
  atomicAdd(sum, n);
}]]
  t.assertEquals(m:kernel("k").uses, { "writes", "reads", "", "reads and writes" })
end

function TestModule.test_compiled_ahead()
  local path <const> = os.tmpname()
  local function write(text)
    local file <close> = assert(io.open(path, "w"))
    file:write(text)
  end
  write(("template <int K> __global__ void set(int *p) { p[0] = K; } // %d %.17g\n"):format(os.time(), os.clock()))
  t.assertNil(gpu.compile_ahead(path, "set<3>"))
  local kernel = gpu.kernel(path, "set<3>")
  t.assertTrue(kernel.module.cached)
  local b = gpu.buffer("int", 1)
  kernel { grid = 1, block = 1 }(b)
  t.assertEquals(b[0], 3)
  t.assertEquals(refuses("set", gpu.compile_ahead, path, "unset<3>").kind, "compile")
  write "__global__ void broken( {}\n"
  t.assertEquals(refuses("broken", gpu.compile_ahead, path, "broken").kind, "compile")
  os.remove(path)
end

function TestModule.test_says_what_is_in_it()
  t.assertEquals(#module.names, 7)
  t.assertEquals(module.log, "")
  t.assertEquals(math.type(module.cc), "integer")
  t.assertStrContains(module.ptx, ".entry")
  t.assertStrContains(tostring(module), "times<3>")
  t.assertTrue(module.ms >= 0)
  refuses("nowhere", module.kernel, module, "nowhere")
  refuses("string expected", module.kernel, module)
end

function TestModule.test_without_names_every_kernel_is_there()
  local m = gpu.compile_text("__global__ void one() {} __global__ void two() {}")
  table.sort(m.names)
  m:kernel("one"){ grid = 1, block = 1 }()
  m:kernel("two"){ grid = 1, block = 1 }()
end

function TestModule.test_options()
  local m = gpu.compile_text("__global__ void f(int *p) { *p = VALUE + OTHER; }",
    { defines = { VALUE = 40, OTHER = "2" }, options = { "--use_fast_math" }, include = { "." } })
  local b = gpu.buffer("int", 1)
  m:kernel("f"){ grid = 1, block = 1 }(b)
  t.assertEquals(b[0], 42)
  refuses("did you mean 'defines'?", gpu.compile_text, "", { define = {} })
  refuses("names[1]: string expected, got number", gpu.compile_text, "", { names = { 1 } })
  refuses("names: a table of strings expected", gpu.compile_text, "", { names = "f" })
  refuses("defines.X: string or number expected", gpu.compile_text, "", { defines = { X = {} } })
  refuses("defines: names expected", gpu.compile_text, "", { defines = { "X" } })
  refuses("NUL", gpu.compile_text, "\0")
  local device = gpu.open "emu" -- closed while the options are read
  local closing = setmetatable({}, { __index = function() device:close() end })
  refuses("the device was closed during the operation", device.compile_text, device, "", closing)
end

function TestModule.test_what_does_not_compile_says_where()
  local e = refuses("<prompt>", gpu.compile_text, "\n__global__ void f(int *p) { *p = undefined; }")
  t.assertEquals(e.kind, "compile")
  t.assertEquals(e.diagnostics[1].line, 2)
  t.assertStrContains(e.message, "undefined")
  t.assertStrContains(e.message, "^")
end

function TestModule.test_files_are_looked_for()
  local path = os.tmpname()
  local f <close> = assert(io.open(path, "w"))
  f:write("__global__ void here(int *p) { *p = 5; }")
  f:flush()
  local b = gpu.buffer("int", 1)
  gpu.kernel(path, "here"){ grid = 1, block = 1 }(b)
  t.assertEquals(b[0], 5)
  t.assertEquals(gpu.compile(path).path, path)
  os.remove(path)
  local e = refuses("there is no file", gpu.compile, "not/there.cu")
  t.assertEquals(e.kind, "setup")
  refuses("is a folder", gpu.compile, "/tmp")
  refuses("empty", gpu.compile, "")
  t.assertStrContains(tostring(gpu.kernel("banks.cu", "offset<1>")), "offset<1>") -- in kernels/
  refuses("did you mean banks.cu?", gpu.compile, "bank.cu")
end

TestLaunch = {}

function TestLaunch.test_runs_and_tells_how_it_went()
  local n = 1000
  local a = gpu.buffer("float", n, { name = "in", fill = "random" })
  local b = gpu.buffer("float", n, { name = "out" })
  local outcome = module:kernel("copy"){ grid = { 8 }, block = { 128, 1, 1 } }(b, a, n)
  t.assertEquals(outcome.status, "ok")
  t.assertEquals(outcome.message, "")
  t.assertTrue(outcome.ms >= 0)
  t.assertNil(b:download():mismatch(a:download()))
  t.assertStrContains(tostring(outcome), "ok")
end

function TestLaunch.test_every_kind_of_number_arrives()
  local out = gpu.buffer("long long", 8, { name = "out" })
  local k = module:kernel "store"
  k{ grid = 1, block = 1 }(out, true, -5, -300, -70000, math.mininteger, 1.5, 0.25)
  t.assertEquals({ out[0], out[1], out[2], out[3], out[4], out[5], out[6] },
    { 1, -5, -300, -70000, math.mininteger, 3, 1 })
  k{ grid = 1, block = 1 }(out, 0, 7.0, 8, 9, 10, 2, 3)
  t.assertEquals({ out[0], out[1], out[5], out[6] }, { 0, 7, 4, 12 })
end

function TestLaunch.test_a_structure_is_a_packed_string()
  local out = gpu.buffer("int", 2)
  module:kernel("pair"){ grid = 1, block = 1 }(out, string.pack("<i4i4", 11, -12))
  t.assertEquals({ out[0], out[1] }, { 11, -12 })
  refuses("a string of 8 bytes", module:kernel("pair"){ grid = 1, block = 1 }, out, "short")
  refuses("a string of 8 bytes", module:kernel("pair"){ grid = 1, block = 1 }, out, 5)
end

function TestLaunch.test_where_names_are_not_mangled_ptx_tells_what_it_can()
  local k = gpu.compile_text([[extern "C" __global__ void plain(int *p, int n, long long l, float f, bool b) {
    p[0] = n + (int)l + (int)f + b; }]]):kernel "plain"
  local b = gpu.buffer("int", 1, { name = "cell" })
  k{ grid = 1, block = 1 }(b, -1, 5, 2.5, true)
  t.assertEquals(b[0], 7)
  local f = k{ grid = 1, block = 1 }
  refuses("plain takes 5 arguments, got 0", f)
  refuses("parameter 2 of plain is .u32: a 32-bit integer expected, got 1.5", f, b, 1.5, 0, 0, 0)
  refuses("which does not fit", f, b, 1 << 32, 0, 0, 0)
  refuses("a 32-bit integer expected, got the buffer \"cell\"", f, b, b, 0, 0, 0)
  refuses("is .f32: a number expected, got string", f, b, 0, 0, "1", 0)
  refuses("8-bit integer expected, got 256", f, b, 0, 0, 0, 256)
  refuses("a buffer or a 64-bit integer expected, got nil", f, nil, 0, 0, 0, 0)
end

function TestLaunch.test_a_null_pointer_is_0()
  local k = gpu.compile_text("__global__ void f(int *p, int *q) { if (!q) p[0] = 3; }"):kernel "f"
  local b = gpu.buffer("int", 1)
  k{ grid = 1, block = 1 }(b, 0)
  t.assertEquals(b[0], 3)
  t.assertStrContains(tostring(k), "kernel f(int*, int*)")
end

function TestLaunch.test_templates()
  local b = gpu.buffer("int", 4, { fill = "iota" })
  module:kernel("times<3>"){ grid = 1, block = 4 }(b)
  t.assertEquals({ b[0], b[1], b[2], b[3] }, { 0, 3, 6, 9 })
end

function TestLaunch.test_refuses_arguments_that_do_not_fit()
  local a, b = gpu.buffer("float", 4, { name = "a" }), gpu.buffer("float", 4, { name = "b" })
  local copy = module:kernel("copy"){ grid = 1, block = 1 }
  refuses("copy(float*, float*, int) takes 3 arguments, got 2", copy, a, b)
  refuses("takes 3 arguments, got 4", copy, a, b, 1, 2)
  refuses("bad argument #3: parameter 3 of copy is int, got the buffer \"a\"", copy, a, b, a)
  refuses("got 1.5", copy, a, b, 1.5)
  refuses("got 4294967296, which does not fit", copy, a, b, 1 << 32)
  refuses("which does not fit", copy, a, b, 1 << 31)
  refuses("which does not fit", copy, a, b, -(1 << 31) - 1)
  refuses("got string", copy, a, b, "4")
  refuses("got nil", copy, a, nil, 4)
  refuses("parameter 1 of copy is float*: a buffer of float expected, got table", copy, {}, b, 4)
  refuses("bad argument #2: parameter 2 of copy is float*: a buffer of float expected, got 0.5", copy, a, 0.5, 4)
  refuses("a buffer of float expected, got 4096", copy, a, 4096, 4)
  refuses('got the buffer "ints" of int', copy, a, gpu.buffer("int", 4, { name = "ints" }), 4)
  refuses("nan", copy, a, b, 0 / 0)
  local store = module:kernel("store"){ grid = 1, block = 1 }
  local out = gpu.buffer("long long", 8)
  refuses("parameter 2 of store is bool, got 2.5", store, out, 2.5, 0, 0, 0, 0, 0, 0)
  refuses("parameter 3 of store is char, got 1000, which does not fit", store, out, true, 1000, 0, 0, 0, 0, 0)
  refuses("is short", store, out, true, 0, 70000, 0, 0, 0, 0)
  refuses("parameter 6 of store is long long, got a buffer", store, out, true, 0, 0, 0, out, 0, 0)
  refuses("is float, got 1e+300, which does not fit", store, out, true, 0, 0, 0, 0, 1e300, 0)
  refuses("parameter 7 of store is float, got boolean", store, out, true, 0, 0, 0, 0, true, 0)
end

function TestLaunch.test_refuses_closed_and_foreign_buffers()
  local a, b = gpu.buffer("float", 4, { name = "a" }), gpu.buffer("float", 4, { name = "b" })
  local copy = module:kernel("copy"){ grid = 1, block = 1 }
  b:free()
  refuses('the closed buffer "b"', copy, a, b, 4)
  local other <close> = gpu.open "emu"
  refuses('the buffer "far" of another device', copy, a, other:buffer("float", 4, { name = "far" }), 4)
end

function TestLaunch.test_refuses_hostile_configurations()
  local k = module:kernel "nothing"
  for _, config in ipairs { { grid = 0, block = 1 }, { grid = 1, block = -1 }, { grid = 1e308, block = 1 },
    { grid = 0 / 0, block = 1 }, { grid = {}, block = 1 }, { grid = { 1, 1, 1, 1 }, block = 1 }, { grid = 1 },
    { block = 1 }, { grid = "1", block = 1 }, { grid = { 1, "x" }, block = 1 }, { grid = 1.5, block = 1 },
    { grid = 1, block = 1, shared = -1 }, { grid = 1, block = 1, shared = 1e20 }, { grid = 1, block = 1, timeout = -5 },
    { grid = 1 << 32, block = 1 }, { grid = { 1, 0 }, block = 1 }, {} } do
    refuses("bad argument", k, config)
    refuses("bad argument", k.launch, k, config)
  end
  refuses("did you mean 'block'?", k, { grid = 1, blok = 1 })
  refuses("needs a grid and a block before its arguments", k, 1)
  refuses("needs a grid and a block before its arguments", k)
  k{ grid = { 1, 1 }, block = { 1, 1, 1 } }()
end

function TestLaunch.test_limits_name_both_figures()
  local k = module:kernel "nothing"
  local outcome = k:launch { grid = 1, block = 4096 }
  t.assertEquals(outcome.status, "limit")
  t.assertStrContains(outcome.message, "4096")
  t.assertStrContains(outcome.message, "1024")
  local e = refuses("1024", k{ grid = 1, block = { 64, 64 } })
  t.assertEquals({ e.kind, e.outcome.status }, { "fault", "limit" })
  t.assertEquals(k:launch({ grid = { 1, 4294967295, 4294967295 }, block = 1 }).status, "limit")
end

function TestLaunch.test_a_store_past_the_end_is_named()
  local a, b = gpu.buffer("float", 64, { fill = 0 }), gpu.buffer("float", 32, { name = "result" })
  local k = module:kernel "copy"
  local outcome = k:launch({ grid = 1, block = 64 }, b, a, 33)
  t.assertEquals(outcome.status, "fault")
  local f = outcome.fault
  t.assertEquals({ f.buffer, f.element, f.bytes, f.type, f.access, f.space }, { "result", 32, 128, "float", "store", "global" })
  t.assertEquals({ f.block.x, f.thread.x, f.thread[1], f.line }, { 0, 32, 32, 4 })
  local e = refuses("result", k{ grid = 1, block = 64 }, b, a, 33)
  t.assertEquals(e.kind, "fault")
  t.assertEquals(e.where, "<prompt>:4")
  t.assertEquals(k{ grid = 1, block = 64 }(b, a, 32).status, "ok")
end

function TestLaunch.test_a_fault_calls_variables_as_the_source_does()
  local m = gpu.compile_text [[
    namespace lab { __device__ int table[16]; }
    __global__ void of_block(int at) { __shared__ int tile1x[32]; tile1x[at] = 1; __syncthreads(); lab::table[0] = tile1x[at]; }
    __global__ void of_module(int at) { lab::table[at] = 1; }
  ]]
  for kernel, name in pairs { of_block = "tile1x", of_module = "table" } do
    local outcome = m:kernel(kernel):launch({ grid = 1, block = 1 }, 100000)
    t.assertEquals({ outcome.status, outcome.fault.buffer }, { "fault", name })
    t.assertStrMatches(outcome.message, ".* of " .. name .. "[ ;].*")
  end
end

function TestLaunch.test_a_kernel_that_hangs_runs_into_its_limit()
  local b = gpu.buffer("int", 1, { fill = 0 })
  local k = module:kernel "forever"
  t.assertEquals(k:launch({ grid = 1, block = 1, timeout = 200 }, b).status, "timeout")
  t.assertEquals(refuses("", k{ grid = 1, block = 1, timeout = 200 }, b).kind, "timeout")
  b[0] = 1
  t.assertEquals(k:launch({ grid = 1, block = 1 }, b).status, "ok")
end

function TestLaunch.test_output_is_in_the_outcome()
  local outcome = module:kernel("say"){ grid = 1, block = 2 }(7)
  t.assertStrContains(outcome.output, "# thread 0 of 7")
  t.assertStrContains(outcome.output, "# thread 1 of 7")
end

function TestLaunch.test_occupancy()
  local k = module:kernel "copy"
  local o = k:occupancy { grid = 1, block = 1024 }
  t.assertEquals({ o.blocks_per_sm, o.warps_per_sm, o.fraction }, { 2, 64, 1.0 })
  t.assertTrue(k.registers > 0)
  t.assertFalse(k.registers_estimated) -- the assembler says, also without a GPU
  t.assertEquals({ k.name, k.shared_bytes, k.max_threads > 0 }, { "copy", 0, true })
  refuses("more threads", k.occupancy, k, { grid = 1, block = { 4294967295, 4294967295, 4294967295 } })
  refuses("", k.occupancy, k, { grid = 1, block = 5000 })
end

function TestLaunch.test_closed_with_the_device()
  local d = gpu.open "emu"
  local m = d:compile_text("__global__ void f() {}")
  local k = m:kernel "f"
  local ready = k{ grid = 1, block = 1 }
  ready()
  d:close()
  refuses("closed with its device", k, { grid = 1, block = 1 })
  refuses("closed with its device", ready)
  refuses("closed with its device", m.kernel, m, "f")
  t.assertStrContains(tostring(k), "kernel f")
  t.assertEquals(m.cc, m.cc)
end

function TestLaunch.test_keeps_what_it_needs_alive()
  local ready
  do ready = gpu.open("emu"):compile_text("__global__ void f() {}"):kernel("f"){ grid = 1, block = 1 } end
  for _ = 1, 3 do collectgarbage() end
  t.assertEquals(ready().status, "ok")
end

TestCount = {}

function TestCount.test_counts_by_total_and_line()
  local n = 1024
  local a, b = gpu.buffer("float", n, { fill = 1 }), gpu.buffer("float", n)
  local report = gpu.count(module:kernel "copy", { grid = 4, block = 256 }, { b, a, n }, { models = { "H200", "GTX 280" } })
  t.assertEquals(report.outcome.status, "ok")
  local c = report.counters
  t.assertEquals({ c.global_load_requests, c.global_load_sectors, c.global_store_sectors }, { 32, 128, 128 })
  t.assertEquals({ c.global_load_bytes, c.global_store_bytes }, { 4096, 4096 })
  local found
  for _, line in ipairs(report.lines) do
    if line.counters.global_store_sectors > 0 then found = line end
  end
  t.assertEquals(found.line, 4)
  t.assertStrContains(found.text, "out[i] = in[i]")
  t.assertEquals({ found.worst.width, found.worst.space }, { 4, "global" })
  t.assertNotNil(found.worst.lanes[0])
  t.assertNotNil(report.models["H200"])
  t.assertNotNil(report.models["GTX 280"])
  local sum = b:download():sum()
  t.assertEquals(sum == n, EMULATED) -- a GPU's buffers stay as they are
end

-- What is inlined from the toolkit's headers counts at the line that calls it.
function TestCount.test_counts_headers_at_the_caller()
  local k = gpu.compile_text [[
    #include <cuda_fp16.h>
    __global__ void sum(half *o, int *n) {
      __shared__ half s[64];
      s[threadIdx.x] = __int2half_rn(threadIdx.x);
      __syncthreads();
      o[threadIdx.x] = __hadd(s[63 - threadIdx.x], s[threadIdx.x]);
      atomicAdd(n, 1);
    }]]:kernel "sum"
  local o, n = gpu.buffer("half", 64), gpu.buffer("int", 1, { fill = 0 })
  local report, found = gpu.count(k, { grid = 1, block = 64 }, { o, n }), {}
  for _, line in ipairs(report.lines) do
    t.assertNil(line.file:match "%.hpp$", line.file)
    found[line.line] = line.counters
  end
  t.assertEquals({ found[4].shared_store_requests, found[6].shared_load_requests, found[7].global_atomics }, { 2, 4, 2 })
end

function TestCount.test_counts_by_the_rules_asked_for()
  local a, b = gpu.buffer("float", 64, { fill = 1 }), gpu.buffer("float", 64)
  local k = module:kernel "copy"
  local report = gpu.count(k, { grid = 1, block = 64 }, { b, a, 64 }, { rules = "GTX 280" })
  t.assertEquals(report.rules, "GTX 280")
  t.assertEquals(gpu.device:count(k, { grid = 1, block = 64 }, { b, a, 64 }).rules, gpu.device.model)
  refuses("GTX 2800", gpu.count, k, { grid = 1, block = 64 }, { b, a, 64 }, { rules = "GTX 2800x" })
  refuses("models: a table", gpu.count, k, { grid = 1, block = 64 }, { b, a, 64 }, { models = "H200" })
  refuses("models[1]: string", gpu.count, k, { grid = 1, block = 64 }, { b, a, 64 }, { models = { 5 } })
  refuses("rules: a string", gpu.count, k, { grid = 1, block = 64 }, { b, a, 64 }, { rules = {} })
end

function TestCount.test_refuses_what_a_launch_refuses()
  local k = module:kernel "copy"
  local b = gpu.buffer("float", 4)
  refuses("bad argument #3", gpu.count, k, { grid = 1, block = 1 }, { b, b })
  refuses("parameter 3 of copy", gpu.count, k, { grid = 1, block = 1 }, { b, b, "x" })
  refuses("bad argument #2", gpu.count, k, { grid = 1 }, { b, b, 1 })
  refuses("gpulab.kernel expected", gpu.count, 7, { grid = 1, block = 1 }, {})
  refuses("table expected", gpu.count, k, { grid = 1, block = 1 }, b)
  local many = {}
  for i = 1, 1000 do many[i] = i end
  refuses("cannot take 1000 arguments", gpu.count, k, { grid = 1, block = 1 }, many)
end

TestTime = {}

function TestTime.test_is_predicted_on_the_emulator_and_measured_on_a_gpu()
  local n = 1 << 16
  local a, b = gpu.buffer("float", n, { fill = 1 }), gpu.buffer("float", n)
  local m = gpu.time(module:kernel "copy", { grid = n // 256, block = 256 }, { b, a, n }, { min_bytes = 8 * n })
  t.assertEquals(m.kind, EMULATED and "predicted" or "measured")
  t.assertTrue(m.ms > 0 and m.q1 <= m.ms and m.ms <= m.q3)
  t.assertEquals(m.bound ~= nil, EMULATED)
  t.assertEquals(m.samples > 1, not EMULATED)
end

function TestTime.test_refuses_hostile_options()
  local k = module:kernel "nothing"
  local config = { grid = 1, block = 1 }
  refuses("min_bytes", gpu.time, k, config, {}, { min_bytes = -1 })
  refuses("min_bytes", gpu.time, k, config, {}, { min_bytes = 1 / 0 })
  refuses("wall", gpu.time, k, config, {}, { wall = 0 / 0 })
  refuses("warmup", gpu.time, k, config, {}, { warmup = 1e9 })
  refuses("warmup", gpu.time, k, config, {}, { warmup = 1.5 })
  refuses("did you mean 'warmup'?", gpu.time, k, config, {}, { warmpu = 1 })
end

function TestTime.test_a_fault_while_timing_is_a_fault()
  local a, b = gpu.buffer("float", 8, { fill = 1 }), gpu.buffer("float", 4, { name = "small" })
  local e = refuses("small", gpu.time, module:kernel "copy", { grid = 1, block = 32 }, { b, a, 8 })
  t.assertEquals(e.kind, "fault")
end

function TestModule.test_a_loop_over_nil_says_where()
  local ok, message = pcall(function() for _, v in ipairs(nil) do print(v) end end)
  t.assertFalse(ok)
  t.assertStrContains(message, "bad argument #1 to 'ipairs' (table expected, got nil)")
  t.assertStrMatches(message, ".*bind_kernel%.lua:%d+: .*")
end

os.exit(t.LuaUnit.run("-o", "tap"), true)
