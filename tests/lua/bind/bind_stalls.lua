-- Stall reasons of a prediction, by replay of what the emulator ran: kernels that wait for one thing each.
local t = require "luaunit"
local lines = require "gpulab.show.lines"
local nondeterminism = require "gpulab.show.nondeterminism"
local stalls = require "gpulab.show.stalls"

local SOURCE <const> = [[
extern "C" __global__ void move(float *out, const float *in) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = in[i];
}
extern "C" __global__ void conflicts(float *out) {
	__shared__ float s[32 * 33];
	float sum = 0;
	for (int i = threadIdx.x; i < 32 * 33; i += blockDim.x) s[i] = i;
	__syncthreads();
	for (int i = 0; i < 32; i++)
		sum += s[threadIdx.x % 32 * 32 + i];
	out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
extern "C" __global__ void chain(float *out, float a, int n) {
	float x = threadIdx.x;
	#pragma unroll 32
	for (int i = 0; i < n; i++)
		x = x * a + 1;
	out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}
// side: blocks below the diagonal exit at once, or those above it.
extern "C" __global__ void half(float *out, const float *in, int side) {
	if (side * (int)blockIdx.x > side * (int)blockIdx.y) return;
	__shared__ float s[256];
	int i = (blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x;
	s[threadIdx.x] = in[i];
	__syncthreads();
	out[i] = s[255 - threadIdx.x];
}
extern "C" __global__ void few(float *out, const float *in, int every) {
	if (blockIdx.x % every) return;
	__shared__ float s[256];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	s[threadIdx.x] = in[i];
	__syncthreads();
	out[i] = s[255 - threadIdx.x];
}
]]

local device = gpu.open "emu"
local module = device:compile_text(SOURCE)

TestStalls = {}

function TestStalls:setUp()
  self.out = device:buffer("float", 1 << 18, { fill = 0 })
  self.input = device:buffer("float", 1 << 18, { fill = "iota" })
end

function TestStalls.predicted(_, name, grid, args, models)
  local kernel = module:kernel(name)
  return device:count(kernel, { grid = grid, block = 256 }, args, { models = models or { "H200" } }).models
end

local function first(prediction)
  for _, one in ipairs(stalls.shares(prediction)) do
    if one.name ~= "selected" then return one.name end
  end
end

-- Blocks that exit at once wait for nothing that a student could change.
function TestStalls:test_of_unequal_blocks_those_that_work_count()
  local halves = { self:predicted("half", { 8, 8 }, { self.out, self.input, 1 }).H200,
    self:predicted("half", { 8, 8 }, { self.out, self.input, -1 }).H200 }
  for _, p in ipairs(halves) do
    t.assertEquals(first(p), "long_scoreboard")
    t.assertEquals(p.limits[1].name, "latency")
    t.assertAlmostEquals(p.limits[1].ms + gpu.model "H200".launch_us / 1000, p.ms, 1e-9) -- the parts sum up
  end
  t.assertAlmostEquals(halves[1].ms, halves[2].ms, 1e-9) -- whichever half exits
  for _, blocks in ipairs { 64, 200, 1000 } do
    t.assertEquals(first(self:predicted("few", blocks, { self.out, self.input, 3 }).H200), "long_scoreboard", blocks)
  end
end

function TestStalls:test_the_timeline_of_a_block()
  local report = device:count(module:kernel "move", { grid = 1024, block = 256 }, { self.out, self.input },
    { models = { "H200" }, timeline = 77 })
  local timeline, warps, waits, all = report.items[1].timeline, {}, 0, 0
  t.assertEquals(timeline.block, 77)
  for _, e in ipairs(timeline) do
    warps[e.warp] = true
    if e.why == "long_scoreboard" then
      t.assertEquals(e.line, 3)
      waits = waits + e.cycles
    end
    all = all + e.cycles
  end
  t.assertEquals(#warps, 7) -- 0 to 7
  t.assertTrue(waits > all / 2)
  t.assertNil(device:count(module:kernel "move", { grid = 1024, block = 256 }, { self.out, self.input },
    { models = { "GTX 280" }, timeline = 77 }).items[1].timeline)
  t.assertErrorMsgContains("timeline", device.count, device, module:kernel "move", { grid = 1024, block = 256 },
    { self.out, self.input }, { timeline = 1.5 })
end

function TestStalls:test_each_kernel_waits_for_its_own()
  local copy = self:predicted("move", 1024, { self.out, self.input }).H200
  t.assertEquals(first(copy), "long_scoreboard")
  local shared = self:predicted("conflicts", 1024, { self.out }).H200
  t.assertEquals(first(shared), "mio_throttle")
  local alone = self:predicted("chain", 1, { self.out, 0.5, 4096 }).H200
  t.assertEquals(first(alone), "wait")
end

function TestStalls:test_the_line_is_the_one_that_waits()
  local shared = self:predicted("conflicts", 1024, { self.out }).H200
  local line = shared.stalled[1]
  t.assertEquals({ line.line, line.why }, { 11, "mio_throttle" })
  t.assertTrue(line.share > 0.5 and line.share < 1)
  t.assertEquals(stalls.on_line(shared, 11), ("%.0f %% mio_throttle"):format(100 * line.share))
  t.assertNil(stalls.on_line(shared, 1))
  local sum = 0
  for _, one in ipairs(stalls.shares(shared)) do sum = sum + one.share end
  t.assertAlmostEquals(sum, 1, 1e-9)
end

local IN_TWO_FILES <const> = [[
#line 7 "helper.cuh"
__device__ float sum_of(const float *p, int n) { float s = 0; for (int i = 0; i < n; i++) s += p[32 * i]; return s; }
#line 2 "main.cu"
extern "C" __global__ void two(float *out, const float *in, int n) { out[threadIdx.x] = sum_of(in, n); }
]]

function TestStalls:test_lines_of_another_file()
  local report = device:count(device:compile_text(IN_TWO_FILES):kernel "two", { grid = 1, block = 32 },
    { self.out, self.input, 64 }, { models = { "H200" } })
  local prediction = report.models.H200
  local most = prediction.stalled[1]
  t.assertEquals({ most.file:match "[^/]+$", most.line, most.why }, { "helper.cuh", 7, "long_scoreboard" })
  t.assertNotNil(stalls.on_line(prediction, 7, most.file))
  t.assertNil(stalls.on_line(prediction, 7, "main.cu"))
  t.assertTrue(stalls.in_files(report.lines))
  t.assertStrContains(table.concat(stalls.lines(prediction, report.counters, true), " "), "Most cycles: helper.cuh:7 (")
  t.assertStrContains(table.concat(lines.of({ report = report, with_counters = function(own) return own end }, {}), "\n"),
    "  helper.cuh:\n")
end

local EMPTY <const> = [[
extern "C" __global__ void nothing() {}
extern "C" __global__ void once(int *out) {
	__shared__ volatile int s;
	s = 3;
	*out = s;
}
extern "C" __global__ void spin(int *out) { for (long long from = clock64(); clock64() - from < 50;) *out = 1; }
]]

function TestStalls:test_a_kernel_that_does_nothing_waits_for_no_memory()
  local empty = device:compile_text(EMPTY)
  local function counted(name, ...)
    return device:count(empty:kernel(name), { grid = 1, block = 128 }, { ... }, { models = { "H200", "GTX 280" } })
  end
  local models = counted("nothing").models
  t.assertEquals(models.H200.stalls.lg_throttle, 0)
  t.assertStrContains(models["GTX 280"].bound, "latency")
  t.assertEquals(counted("once", self.out).nondeterminism, {}) -- read once: no thread waits there
  t.assertStrContains(nondeterminism.of_time(counted("spin", self.out)), "The predicted time can differ on a GPU")
  t.assertNil(nondeterminism.of_time { nondeterminism = {} })
end

function TestStalls:test_from_cc_2_on()
  local models = self:predicted("move", 1024, { self.out, self.input }, { "V100", "RTX 3060", "GTX 280", "GTX 980" })
  t.assertTrue(models["V100"].replayed_ms > 0)
  t.assertEquals(first(models["RTX 3060"]), "long_scoreboard")
  t.assertNil(models["GTX 280"].stalls)
  t.assertEquals(first(models["GTX 980"]), "long_scoreboard")
  t.assertTrue(#models["GTX 980"].stalled > 0)
  t.assertEquals(stalls.lines(models["GTX 280"]), {})
end

function TestStalls:test_the_same_each_time()
  local one = self:predicted("conflicts", 1024, { self.out }).H200
  local two = self:predicted("conflicts", 1024, { self.out }).H200
  t.assertEquals(one.stalls, two.stalls)
  t.assertEquals(one.replayed_ms, two.replayed_ms)
end

os.exit(t.LuaUnit.run("-o", "tap"))
