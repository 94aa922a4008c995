-- From a store to the loads that fed it: through arithmetic, shuffles and calls, to the bytes of a vector that matter.
local t = require "luaunit"
local debugger = require "gpulab.warp.debugger"
local provenance = require "gpulab.warp.source.provenance"

TestOrigin = {}

local function open(source, name, config, args, options)
  return debugger.open(gpu.compile_text(source, options):kernel(name), config, args, name)
end

-- What fed the last store to the bytes: "lane: buffer[element]" of each load, sorted.
local function fed(d, at)
  d:go "on"
  t.assertTrue(d:to_last_store(at))
  local time, list = d.moment.time, {}
  local loads, others, more = provenance.of_store(d, at.address)
  for i, load in ipairs(loads) do
    list[i] = ("%d: %s[%d]"):format(load.lane, load.name, load.offset // load.bytes)
  end
  table.sort(list)
  t.assertEquals(d.moment.time, time) -- it stays where it is
  t.assertFalse(more)
  return list, loads, others
end

local AXPY <const> = [[extern "C" __global__ void axpy(float *y, const float *x, float a) {
    int i = threadIdx.x;
    y[i] = a * x[i] + y[i];
  }]]

function TestOrigin.test_arithmetic()
  for _, options in ipairs { {}, { options = { "-G" } } } do
    local x = gpu.buffer("float", 32, { name = "x", fill = "iota" })
    local y = gpu.buffer("float", 32, { name = "y", fill = 2 })
    local d = open(AXPY, "axpy", { grid = 1, block = 32 }, { y, x, 3 }, options)
    local at = d:element(y, 5)
    local list, loads, others = fed(d, at)
    t.assertEquals(list, { "5: x[5]", "5: y[5]" })
    t.assertEquals({ loads[1].line, loads[2].line, loads[1].bytes }, { 3, 3, 4 })
    t.assertEquals(others[1].kind, "parameter")
    d:go("time", { count = loads[1].time })
    t.assertStrContains(d.moment.instruction, "ld.")
    t.assertEquals(provenance.access(d).address - (loads[1].address - 4 * 5), 4 * d.lane)
    t.assertFalse(d:to_last_store { address = at.address, bytes = 4, space = "global" }) -- nothing stored to it before
    t.assertEquals(d.moment.time, loads[1].time)
  end
end

function TestOrigin.test_shuffles_lead_to_the_lane_that_they_read()
  local source = [[extern "C" __global__ void shuffles(int *out, const int *in) {
    int v = in[threadIdx.x], lane = threadIdx.x;
    out[lane] = __shfl_down_sync(0xffffffffu, v, 3);
    out[32 + lane] = __shfl_up_sync(0xffffffffu, v, 5);
    out[64 + lane] = __shfl_xor_sync(0xffffffffu, v, 16);
    out[96 + lane] = __shfl_sync(0xffffffffu, v, 9, 8);
  }]]
  local into, out = gpu.buffer("int", 32, { name = "in", fill = "iota" }), gpu.buffer("int", 128, { name = "out",
    fill = -1 })
  for _, options in ipairs { {}, { options = { "-G" } } } do
    local d = open(source, "shuffles", { grid = 1, block = 32 }, { out, into }, options)
    for element, from in pairs { [1] = 4, [31] = 31, [32 + 3] = 3, [32 + 30] = 25, [64 + 2] = 18, [96 + 20] = 17 } do
      d:restart()
      local list = fed(d, d:element(out, element))
      t.assertEquals({ element, list }, { element, { ("%d: in[%d]"):format(from, from) } })
    end
    d:close()
  end
end

function TestOrigin.test_calls_and_selections()
  local source = [[__device__ __noinline__ int sum(int a, int b) { return a + 2 * b; }
  extern "C" __global__ void calls(int *out, const int *in, int n) {
    int a = sum(in[threadIdx.x], in[threadIdx.x + 32]);
    int b = in[threadIdx.x + 64];
    out[threadIdx.x] = threadIdx.x < 16 ? a : b;
  }]]
  local into, out = gpu.buffer("int", 96, { name = "in", fill = "iota" }), gpu.buffer("int", 32, { name = "out",
    fill = 0 })
  for _, options in ipairs { {}, { options = { "-G" } } } do
    local d = open(source, "calls", { grid = 1, block = 32 }, { out, into, 32 }, options)
    t.assertEquals(fed(d, d:element(out, 7)), { "7: in[39]", "7: in[7]" })
    d:restart()
    t.assertEquals(fed(d, d:element(out, 20)), { "20: in[84]" })
    d:close()
  end
end

function TestOrigin.test_vectors_and_shared_memory()
  local source = [[extern "C" __global__ void turn(float4 *out, const float4 *in) {
    __shared__ float4 s[32];
    float4 v = in[threadIdx.x];
    s[threadIdx.x] = make_float4(v.w, v.z, v.y, v.x);
    __syncthreads();
    out[threadIdx.x] = s[31 - threadIdx.x];
  }]]
  local into, out = gpu.buffer("float", 128, { name = "in", fill = "iota" }), gpu.buffer("float", 128, { name = "out",
    fill = 0 })
  local d = open(source, "turn", { grid = 1, block = 32 }, { out, into })
  local at = d:element(out, 4 * 3 + 1) -- of thread 3: s[28].y, which is in[28].z
  local list, loads = fed(d, at)
  t.assertEquals(#list, 1)
  t.assertEquals({ loads[1].space, loads[1].bytes, loads[1].offset }, { "shared", 4, 16 * 28 + 4 })
  d:go("time", { count = loads[1].time })
  t.assertTrue(d:to_last_store { address = loads[1].address, bytes = 4, space = "shared" })
  t.assertEquals(d.lane, 28)
  t.assertEquals(provenance.of_store(d, loads[1].address)[1].offset, 4 * (4 * 28 + 2))
end

-- Local memory has the same addresses in all threads.
function TestOrigin.test_local_memory_is_that_of_the_thread_in_focus()
  local source = [[extern "C" __global__ void own(int *out) {
    int a[4];
    for (int i = 0; i < 4; i++) a[i] = i;
    if (threadIdx.x < 4)
      a[1] = 5;
    __syncthreads();
    out[threadIdx.x] = a[threadIdx.x % 4];
  }]]
  local d = open(source, "own", { grid = 1, block = 64 }, { gpu.buffer("int", 64) }, { options = { "-G" } })
  d:stop_at "7"
  for _, of in ipairs { { 0, 3, 5 }, { 0, 9, 3 }, { 1, 2, 3 } } do -- warp, lane, line
    d:restart()
    repeat d:go "on" until d.warp == of[1]
    d.lane = of[2]
    local at = d:place_in_memory "a[1]"
    t.assertEquals(at.space, "local")
    t.assertTrue(d:to_last_store(at))
    t.assertEquals({ d.warp, d.lane, d.moment.line }, of)
  end
end

function TestOrigin.test_the_last_store_of_a_launch()
  local source = [[extern "C" __global__ void twice(int *out) {
    out[blockIdx.x] = 1 + blockIdx.x;
    __syncthreads();
    if (threadIdx.x == 33) out[blockIdx.x] = 7;
  }]]
  local out = gpu.buffer("int", 8, { name = "out", fill = 0 })
  local d = open(source, "twice", { grid = 8, block = 64 }, { out })
  local at = d:element(out, 5)
  t.assertFalse(d:to_last_store(at))
  t.assertTrue(d:last_store(at))
  t.assertEquals({ d.moment.block[1], d.moment.warp, d.lane, d.moment.line }, { 5, 1, 1, 4 })
  t.assertErrorMsgContains("the next instruction stores nothing", function()
    d:restart()
    provenance.of_store(d)
  end)
end

-- The store whose value a racing load gets or misses is one of several at the line; a barrier orders those before it.
function TestOrigin.test_both_accesses_of_a_race()
  local source = [[extern "C" __global__ void sum(float *out, int n, int times) {
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    for (int k = n; k > 0; k /= 2)
      if (t < k) s[t] += s[t + k];
    for (int i = 0; i < times; i++) {
      __syncthreads();
      s[t] = i;
      out[t] = s[(t + 32) % 64];
    }
  }]]
  local d = open(source, "sum", { grid = 1, block = 64 }, { gpu.buffer("float", 64), 32, 3 })
  local found = {}
  for _, issue in ipairs(d:issues()) do
    for site = 1, 2 do
      local moment, visits = d:show(issue, site)
      t.assertTrue(d:is_about(issue, issue.sites[site]))
      found[#found + 1] = ("%s %d.%d"):format(issue.sites[site].access, moment.line, visits)
    end
  end
  t.assertEquals(found, { "load 7.2", "store 7.1", "store 10.1", "load 11.1" })
end

-- The access that leaves its buffer is found by its address: the other load of the line is of another array, and the
-- first visits are right. What a fault keeps the launch from is said, and the debugger stays.
function TestOrigin.test_the_visit_that_leaves_a_buffer()
  local source = [[extern "C" __global__ void past(float *out, const float *a, const float *b, int n) {
    float sum = 0;
    for (int k = 0; k < n; k++)
      sum += a[k] * b[4 * k + threadIdx.x];
    out[threadIdx.x + 4096 * blockIdx.x] = sum;
  }]]
  local a, b, out = gpu.buffer("float", 64, { name = "a" }), gpu.buffer("float", 64, { name = "b" }),
    gpu.buffer("float", 8, { name = "out" })
  for n, options in pairs { [18] = {}, [20] = { options = { "-G" } } } do
    local d = open(source, "past", { grid = 2, block = 2 }, { out, a, b, n }, options)
    local issues = d:issues()
    t.assertEquals({ issues[1].buffer, issues[2].buffer }, { "b", "out" })
    local moment, visits, accesses = d:show(issues[1])
    t.assertEquals({ moment.line, d.lane, accesses or visits }, { 4, 0, 17 })
    t.assertStrContains(moment.fault.buffer, "b")
    local none, why = d:show(issues[2])
    t.assertNil(none)
    t.assertStrContains(why, "past the end of b")
    t.assertEquals(d.moment.time, moment.time)
    d:focus(1, 0) -- a block that the launch does not get to
    t.assertEquals({ d.moment.halt, d:show(issues[1]).line }, { "fault", 4 })
    d:close()
  end
end

os.exit(t.LuaUnit.run("-o", "tap"), true)
