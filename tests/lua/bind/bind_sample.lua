-- gpu.count{sample=N}: a part of the blocks, what it says about itself, and how near it comes to the whole grid.
local t = require "luaunit"

local SOURCE <const> = [[
extern "C" __global__ void copy(float *out, const float *in) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = in[i];
}
extern "C" __global__ void turn(float *out, const float *in, int n) {
	__shared__ float tile[32][33];
	int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
	for (int i = 0; i < 32; i += 8) tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * n + x];
	__syncthreads();
	x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
	for (int i = 0; i < 32; i += 8) out[(y + i) * n + x] = tile[threadIdx.x][threadIdx.y + i];
}
extern "C" __global__ void product(float *C, const float *A, const float *B, int n) {
	int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
	float sum = 0;
	for (int k = 0; k < n; k++) sum += A[y * n + k] * B[k * n + x];
	C[y * n + x] = sum;
}
// Later blocks have more to do: what a sample from the beginning would miss.
extern "C" __global__ void uneven(float *out) {
	float v = blockIdx.x;
	for (unsigned k = 0; k < blockIdx.x / 16; k++) v = v * 0.5f + k;
	out[blockIdx.x * blockDim.x + threadIdx.x] = v;
}
// Where a block writes is what another launch has left in a buffer.
extern "C" __global__ void place(int *at) { at[blockIdx.x * blockDim.x + threadIdx.x] = blockIdx.x; }
extern "C" __global__ void scatter(int *out, const int *at) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int to = at[gridDim.x * blockDim.x - 1 - i];
	out[to] = i;
}
__device__ int blocks;
extern "C" __global__ void tally(int *counter, cudaSurfaceObject_t s) {
	if (threadIdx.x) return;
	atomicAdd(counter, 1);
	atomicAdd(&blocks, 1);
	int here;
	surf1Dread(&here, s, 4 * blockIdx.x);
	surf1Dwrite(here + 1, s, 4 * blockIdx.x);
	printf("%d\n", blockIdx.x);
}
]]

local module = gpu.compile_text(SOURCE)
local N <const> = 2048
local buffers = { a = gpu.buffer("float", N * N, { fill = 1 }), b = gpu.buffer("float", N * N, { fill = 1 }),
  c = gpu.buffer("float", N * N) }
local MODELS <const> = { "GTX 280", "GTX 980", "H200" }

local cases = {
  { "copy", { grid = N * N // 256, block = 256 }, { buffers.c, buffers.a }, sample = 4000 },
  { "turn", { grid = { N // 32, N // 32 }, block = { 32, 8 } }, { buffers.c, buffers.a, N }, sample = 1900 },
  { "product", { grid = { 64, 64 }, block = { 16, 16 } }, { buffers.c, buffers.a, buffers.b, 128 }, sample = 1900 },
  { "uneven", { grid = 8000, block = 128 }, { buffers.c }, sample = 1900 },
}

local function count(case, options)
  return gpu.count(module:kernel(case[1]), case[2], case[3], options)
end

TestSample = {}

function TestSample.test_comes_near_the_whole()
  for _, case in ipairs(cases) do
    local whole = count(case, { models = MODELS })
    local part = count(case, { models = MODELS, sample = case.sample })
    t.assertNil(whole.sampled)
    t.assertTrue(part.sampled.blocks >= case.sample and part.sampled.blocks < case.sample + 480, case[1])
    t.assertTrue(part.sampled.of > part.sampled.blocks)
    for _, name in ipairs(MODELS) do
      local off = math.abs(part.models[name].ms / whole.models[name].ms - 1)
      t.assertTrue(off <= 0.06 + part.sampled.error, ("%s on %s is off by %.3f, %.3f were told"):format(case[1], name, off,
        part.sampled.error))
    end
    for _, counter in ipairs { "warp_instructions", "global_load_sectors", "global_store_sectors" } do
      local want, got = whole.counters[counter], part.counters[counter]
      t.assertTrue(math.abs(got - want) <= 0.03 * want, ("%s: %s is %d, not %d"):format(case[1], counter, got, want))
    end
  end
end

function TestSample.test_all_blocks_where_there_are_no_more()
  local case = { "copy", { grid = 300, block = 256 }, { buffers.c, buffers.a } }
  local part = count(case, { models = { "H200" }, sample = 1000 })
  t.assertNil(part.sampled)
  t.assertEquals(part.models.H200.ms, count(case, { models = { "H200" } }).models.H200.ms)
end

function TestSample.test_a_work_is_sampled_launch_by_launch()
  local kernel = module:kernel("copy")
  local work = { { kernel = kernel, config = { grid = 2000, block = 256 }, args = { buffers.c, buffers.a } },
    { kernel = kernel, config = { grid = 100, block = 256 }, args = { buffers.c, buffers.b } } }
  local report = gpu.count(work, { models = { "GTX 280" }, sample = 480 })
  t.assertEquals({ report.sampled.blocks, report.sampled.of }, { 480 + 100, 2100 })
  local whole = gpu.count(work, { models = { "GTX 280" } })
  t.assertAlmostEquals(report.models["GTX 280"].ms / whole.models["GTX 280"].ms, 1, 0.05)
end

-- Half of the time is that of atomics, whose error is larger.
function TestSample.test_the_error_is_that_of_the_whole()
  local to = gpu.buffer("unsigned", 1, { fill = 0 })
  local kernel = gpu.compile_text [[
__global__ void some(float *out, const float *in, unsigned *to, int every)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = in[i];
	if (threadIdx.x == 0 && blockIdx.x % every == 0) atomicAdd(to, 1);
}]]:kernel "some"
  local config, args = { grid = N * N // 256, block = 256 }, { buffers.c, buffers.a, to, 2 }
  local names = { "H200", "GTX 280" }
  args[4] = 1 << 20 -- of the GTX 280, which has an error of its own
  local few = gpu.count(kernel, config, args, { models = names }).models
  args[4] = 2
  local whole = gpu.count(kernel, config, args, { models = names }).models
  t.assertTrue(whole.H200.error > few.H200.error)
  t.assertNotNil(whole["GTX 280"].error)
  for _, sample in ipairs { 60, 480 } do
    local part = gpu.count(kernel, config, args, { models = names, sample = sample }).models
    for _, name in ipairs(names) do t.assertEquals(part[name].error, whole[name].error, name) end
  end
end

function TestSample.test_without_models_there_is_no_error_to_tell()
  local report = count(cases[1], { sample = 1 })
  t.assertEquals({ report.sampled.blocks, report.sampled.error }, { 60, nil })
  t.assertEquals(report.counters.global_load_requests, N * N // 32)
end

-- Blocks that do the same: a sample has as many instructions replayed as the whole launch, and says which blocks ran.
function TestSample.test_alike_blocks_have_the_time_of_all()
  local kernel = gpu.compile_text [[
__global__ void reads(unsigned *out)
{
	volatile __shared__ unsigned s[256];
	s[threadIdx.x] = threadIdx.x;
	__syncthreads();
	unsigned sum = 0;
	for (int i = 0; i < 512; i++) sum += s[threadIdx.x];
	out[blockIdx.x * 256 + threadIdx.x] = sum;
}]]:kernel "reads"
  local GRID <const> = 3168
  local out = gpu.buffer("unsigned", GRID * 256)
  local whole = gpu.count(kernel, { grid = GRID, block = 256 }, { out }, { models = { "H200" } })
  out:fill("sentinel")
  local part = gpu.count(kernel, { grid = GRID, block = 256 }, { out }, { models = { "H200" }, sample = 120 })
  t.assertAlmostEquals(part.models.H200.ms / whole.models.H200.ms, 1, 0.005)
  t.assertEquals(part.counters.shared_load_wavefronts, whole.counters.shared_load_wavefronts)
  local ran, written = 0, 0
  for _, run in ipairs(part.sampled.runs) do
    local got = out:download(run[1] * 256, run[2] * 256)
    for i = 0, #got - 1 do written = written + (got[i] == 512 * (i % 256) and 1 or 0) end
    ran = ran + run[2]
  end
  t.assertEquals({ ran, written }, { part.sampled.blocks, part.sampled.blocks * 256 })
  t.assertNil(whole.sampled)
end

-- All blocks run then, and are counted once.
function TestSample.test_an_adversarial_order_leaves_no_block_out()
  local grid <const> = N * N // 256
  local case = { "copy", { grid = grid, block = 256, schedule = 5 }, { buffers.c, buffers.a } }
  local report = count(case, { models = { "H200" }, sample = 480 })
  t.assertNil(report.sampled)
  t.assertEquals(report.counters.global_store_bytes, 4 * N * N)
  t.assertEquals(report.models.H200.ms, count(case, { models = { "H200" } }).models.H200.ms)
end

-- What a block runs decides how many do: never fewer than 60, never more than were asked for.
function TestSample.test_fewer_blocks_where_they_do_much()
  local case = { "product", { grid = { 64, 64 }, block = { 16, 16 } }, { buffers.c, buffers.a, buffers.b, 32 } }
  local whole = count(case, { models = MODELS })
  local each = whole.counters.warp_instructions / 64 ^ 2
  local function part(instructions)
    local report = count(case, { models = MODELS, sample = 1900, instructions = instructions })
    for _, name in ipairs(MODELS) do
      local off = math.abs(report.models[name].ms / whole.models[name].ms - 1)
      t.assertTrue(off <= 0.06 + report.sampled.error, ("%s is off by %.3f"):format(name, off))
    end
    return report.sampled.blocks
  end
  t.assertEquals(part(1), 60)
  t.assertEquals(part(each * 200), 240)
  t.assertEquals(part(each * 900), 960)
  t.assertEquals(part(each * 1e6), 1920)
end

function TestSample.test_only_those_blocks_write()
  buffers.c:fill(-1)
  count(cases[1], { sample = 480 })
  local written, data = 0, buffers.c:download()
  for block = 0, N * N // 256 - 1 do
    if data[256 * block] == 1 then written = written + 1 end
  end
  t.assertEquals(written, 480)
end

-- The run of half the sample, which the models' error comes of, leaves nothing behind: not in buffers, surfaces, variables,
-- nor what was printed.
function TestSample.test_each_of_those_blocks_runs_once()
  for _, c in ipairs { { grid = 1200, sample = 400, ran = 420 }, { grid = 300, sample = 1000, ran = 300 },
    { grid = 1200, sample = 480, ran = 480, plain = true },
    { grid = 1200, sample = 1000, instructions = 1, ran = 60 } } do
    local counter, zeros = gpu.buffer("int", 1, { fill = 0 }), gpu.buffer("int", c.grid, { fill = 0 })
    local own = gpu.compile_text(SOURCE)
    local surface = gpu.surface(zeros)
    local report = gpu.count(own:kernel "tally", { grid = c.grid, block = 32 }, { counter, surface },
      { models = not c.plain and { "H200", "GTX 980" } or nil, sample = c.sample, instructions = c.instructions })
    t.assertEquals(report.sampled and report.sampled.blocks or c.grid, c.ran)
    t.assertEquals(counter[0], c.ran)
    t.assertEquals(own:symbol("blocks"):download()[0], c.ran)
    local there, seen = surface:download(), 0
    for i = 0, c.grid - 1 do
      t.assertTrue(there[i] <= 1)
      seen = seen + there[i]
    end
    t.assertEquals(seen, c.ran)
    t.assertEquals(select(2, report.outcome.output:gsub("\n", "")), c.ran)
  end
end

-- What nobody has written is known as that afterwards.
function TestSample.test_a_sample_does_not_hide_what_was_never_written()
  local fresh, out = gpu.buffer("float", N * N), gpu.buffer("float", N * N)
  gpu.check(module:kernel "copy", { grid = 1, block = 256 }, { fresh, buffers.a }, "init") -- from now on it is watched
  gpu.count(module:kernel "copy", { grid = 1000, block = 256 }, { fresh, buffers.a }, { models = { "H200" }, sample = 480 })
  local found = gpu.check(module:kernel "copy", { grid = 1000, block = 256 }, { out, fresh }, "init").findings
  t.assertEquals(found[1].check, "init")
end

function TestSample.test_refuses_nonsense()
  for _, bad in ipairs { -1, 0.5, 2.0 ^ 60, 1 / 0, 0 / 0 } do
    local ok, e = pcall(count, cases[1], { sample = bad })
    t.assertFalse(ok)
    t.assertStrContains(tostring(e), "sample:")
  end
  t.assertFalse(pcall(count, cases[1], { sample = "all" }))
  t.assertNil(count({ "copy", { grid = 2, block = 32 }, { buffers.c, buffers.a } }, { sample = 0 }).sampled)
end

function TestSample.test_traffic_of_the_partitions()
  local report = count(cases[2], { models = { "GTX 280", "H200" } })
  local partitions = report.models["GTX 280"].partitions
  t.assertEquals(#partitions, 8)
  t.assertNil(report.models.H200.partitions)
  local least, most = math.huge, 0
  for _, p in ipairs(partitions) do
    least, most = math.min(least, p.bytes), math.max(most, p.bytes)
  end
  t.assertTrue(most > 3 * least) -- rows of 8192 bytes: a column of tiles is one partition's
end

-- A sample of a list counts all blocks where a later launch cannot do without what those left out would have written.
function TestSample.test_launches_that_need_each_other_are_counted_whole()
  local launch_list = require "gpulab.run.launch_list"
  local kernels, n = gpu.compile_text(SOURCE), 4096 * 32
  local at, out = gpu.buffer("int", n, { fill = 1 << 30 }), gpu.buffer("int", n)
  local config = { grid = n // 32, block = 32 }
  local function list(...)
    return { { kernel = kernels:kernel "place", config = config, args = { at } },
      { kernel = kernels:kernel(...), config = config, args = { select(2, ...) } } }
  end
  local report = launch_list.sample(gpu.device, list("scatter", out, at), { "H200" }, 240)
  t.assertEquals({ report.outcome.status, report.sampled }, { "ok", nil })
  t.assertTrue(report.models.H200.known)
  t.assertTrue(launch_list.sample(gpu.device, list("place", out), { "H200" }, 240).sampled ~= nil)
end

os.exit(t.LuaUnit.run("-o", "tap"), true)
