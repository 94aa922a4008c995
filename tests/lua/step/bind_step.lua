-- A launch that is stepped: forward, back and forward again is the same; the student's buffers stay as they are.
local t = require "luaunit"

local function kernel(source, name, options)
  return gpu.compile_text(source, options):kernel(name)
end

local BRANCH <const> = [[
extern "C" __global__ void branch(int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = i;
  if (i % 2)
    for (int k = 0; k < 3; k++)
      v = v * v + out[k];
  else
    v = n / (v + 1);
  __syncthreads();
  out[i] = v;
}]]

local function branch(block)
  local out = gpu.buffer("int", 64, { name = "out", fill = 5 })
  return gpu.step(kernel(BRANCH, "branch"), { grid = 2, block = block or 32 }, { out, 1000 }), out
end

local READ <const> = { "%tid.x:u32", "%ctaid.x:u32 %ntid.x:u32 mul:u32 %tid.x:u32 add:u32", "param+8:s32",
  "param+0:u64 %tid.x:u32 cvt:u32:u64 #4:u64 mul:u64 add:u64 load:global:s32:s32" }

-- All that can be seen of a moment, as text.
local function seen(s, m)
  local parts = { m.time, m.count, m.line, m.mask, m.instruction }
  for _, side in ipairs(m.sides) do
    parts[#parts + 1] = ("%s %x %d %d"):format(side.state, side.mask, side.line, side.rejoin)
  end
  for _, a in ipairs(m.accesses) do
    parts[#parts + 1] = a.access .. a.space .. a.width
    for lane = 0, 31 do parts[#parts + 1] = tostring(a.lanes[lane] and a.lanes[lane] - a.base) end
  end
  for _, v in ipairs(s:read(READ)) do
    for lane = 0, 31 do parts[#parts + 1] = tostring(v.lanes[lane]) end
  end
  return table.concat(parts, " ")
end

TestStep = {}

function TestStep.test_back_is_exactly_where_it_was()
  for _, way in ipairs { "line", "instruction", "over" } do
    local s = branch(64)
    local there, moments = {}, {}
    local m = s:go { way = "time", count = 0, warp = 1 }
    t.assertEquals(m.halt, "begin")
    repeat
      there[#there + 1], moments[#moments + 1] = seen(s, m), m
      m = s:go { way = way, warp = 1 }
    until m.halt ~= "done"
    t.assertEquals(m.halt, "warp ended")
    t.assertTrue(#there > 4)
    for i = #there, 2, -1 do
      m = s:go { way = way, back = true, warp = 1 }
      t.assertEquals(seen(s, m), there[i])
    end
    for _, i in ipairs { 3, #there, 2, 5 } do
      t.assertEquals(seen(s, s:go { way = "time", count = moments[i].time, warp = 1 }), there[i])
    end
    m = s:go { way = way, back = true, warp = 1, count = 100 }
    t.assertEquals({ m.halt, m.time }, { "begin", 0 })
  end
end

function TestStep.test_both_sides_of_a_branch_and_where_they_rejoin()
  local s = branch()
  local m = s:go { way = "on", stops = { { number = 3, kind = "line", name = "<prompt>", line = 6 } } }
  t.assertEquals({ m.halt, m.stop, m.line, m.mask }, { "stop", 3, 6, 0xaaaaaaaa })
  local other
  for _, side in ipairs(m.sides) do if side.state == "other branch" then other = side end end
  t.assertEquals(other.mask, 0x55555555)
  t.assertEquals(m.sides[#m.sides].state, "rejoins")
  t.assertEquals(m.sides[#m.sides].mask, 0xffffffff)
end

function TestStep.test_the_buffers_of_the_device_stay_as_they_are()
  local s, out = branch()
  s:go { way = "on" }
  t.assertEquals(s:read { "param+0:u64 load:global:s32:s32" }[1].lanes[0], nil) -- the block has ended
  s:go { way = "time", count = 0 }
  t.assertEquals(s:read { "param+0:u64 load:global:s32:s32" }[1].lanes[0], 5)
  t.assertEquals(out:download()[0], 5)
  s:close()
  t.assertError(s.go, s, { way = "line" })
end

function TestStep.test_blocks_before_the_one_in_focus_have_run()
  local out = gpu.buffer("int", 4, { name = "out", fill = 0 })
  local k = kernel([[extern "C" __global__ void chain(int *out) {
    int before = blockIdx.x ? out[blockIdx.x - 1] : 1;
    out[blockIdx.x] = before * 2;
  }]], "chain")
  local s = gpu.step(k, { grid = 4, block = 1 }, { out })
  for _, block in ipairs { 3, 1, 2, 3 } do
    s:go { way = "time", count = 0, block = block }
    local m = s:go { way = "on", block = block, stops = { { number = 1, kind = "line", name = "<prompt>", line = 4 } } }
    t.assertEquals(m.halt, "stop")
    t.assertEquals(m.block, { block, 0, 0 })
    local values = s:read { ("param+0:u64 #%x:u64 add:u64 load:global:s32:s32"):format(4 * block) }
    t.assertEquals(values[1].lanes[0], 2 << block)
  end
end

function TestStep.test_stops_with_conditions_changes_and_addresses()
  local s = branch()
  local line = { number = 1, kind = "line", name = "<prompt>", line = 6, condition = "%tid.x:u32 #40:u32 gt:s32" }
  t.assertEquals(s:go { way = "on", stops = { line } }.halt, "block ended")
  s:go { way = "time", count = 0 }
  line.condition = "%tid.x:u32 #3:u32 eq:s32"
  t.assertEquals(s:go { way = "on", stops = { line } }.halt, "stop")
  s:go { way = "time", count = 0 }
  local change = { number = 2, kind = "change", condition = "param+0:u64 #14:u64 add:u64 load:global:s32:s32" }
  local m = s:go { way = "on", stops = { change } }
  t.assertEquals({ m.halt, m.stop }, { "stop", 2 })
  t.assertNotEquals(s:read { change.condition }[1].lanes[0], 5)
  s:go { way = "time", count = 0 }
  local base = s:read { "param+0:u64" }[1].lanes[0]
  m = s:go { way = "on", stops = { { number = 4, kind = "address", address = base + 20, bytes = 4, space = "global",
    stores = true } } }
  t.assertEquals({ m.halt, m.stop, m.line }, { "stop", 4, 10 })
  t.assertEquals(s:read { change.condition }[1].lanes[0], 5) -- before it is stored
  t.assertEquals(m.accesses[1].lanes[5], base + 20)
  m = s:go { way = "on", back = true, stops = { line } }
  t.assertEquals({ m.halt, m.line }, { "stop", 6 })
end

function TestStep.test_a_fault_is_shown_before_it_happens()
  local out = gpu.buffer("int", 8, { name = "out", fill = 0 })
  local k = kernel([[extern "C" __global__ void past(int *out) {
    out[0] = 1;
    out[threadIdx.x] = 2;
  }]], "past")
  local s = gpu.step(k, { grid = 1, block = 64 }, { out })
  local m = s:go { way = "on" }
  t.assertEquals({ m.halt, m.line }, { "fault", 3 })
  t.assertStrContains(m.message, "past the end of out")
  t.assertEquals(m.fault.thread[1], 8)
  m = s:go { way = "on" } -- and again
  t.assertEquals(m.halt, "fault")
  m = s:go { way = "line", back = true } -- to where the line begins
  t.assertEquals({ m.halt, m.line }, { "done", 3 })
  t.assertEquals({ m.fault.access, m.fault.threads, #m.accesses }, { "store", 24, 0 }) -- seen from there, too
  m = s:go { way = "line", back = true }
  t.assertEquals({ m.halt, m.line, m.fault }, { "done", 2 })
end

function TestStep.test_warps_that_wait_at_a_barrier()
  local s = branch(64)
  local m = s:go { way = "barrier", warp = 1 }
  t.assertEquals({ m.halt, m.warp }, { "done", 1 })
  t.assertStrContains(m.instruction, "bar")
  t.assertEquals(m.warps[1].state, "barrier")
  t.assertEquals(m.barriers[1], { id = 0, arrived = 32, expected = 64 })
end

function TestStep.test_calls_are_entered_stepped_over_and_left()
  local k = kernel([[__device__ __noinline__ int twice(int x) {
    int y = x * 2;
    return y + 1;
  }
  extern "C" __global__ void calls(int *out) {
    int a = out[threadIdx.x];
    a = twice(a);
    out[threadIdx.x] = a;
  }]], "calls")
  local s = gpu.step(k, { grid = 1, block = 32 }, { gpu.buffer("int", 32, { fill = 1 }) })
  local into = { number = 1, kind = "line", name = "<prompt>", line = 2 }
  local m = s:go { way = "on", stops = { into } }
  t.assertEquals({ m.halt, m.line, #m.frames }, { "stop", 2, 2 })
  t.assertEquals(m.frames[2].line, 7)
  m = s:go { way = "out" }
  t.assertEquals({ m.halt, #m.frames }, { "done", 1 })
  s:go { way = "time", count = 0 }
  repeat
    m = s:go { way = "over" }
    t.assertEquals(m.halt == "done" and #m.frames or 1, 1)
  until m.halt ~= "done"
end

function TestStep.test_what_is_refused()
  local s = branch()
  t.assertErrorMsgContains("no code at nowhere.cu:9", s.go, s, { way = "on", stops = { { number = 1, kind = "line",
    name = "nowhere.cu", line = 9 } } })
  t.assertErrorMsgContains("has no block 2", s.go, s, { way = "line", block = 2 })
  t.assertErrorMsgContains("has no warp 1", s.go, s, { way = "line", warp = 1 })
  t.assertErrorMsgContains("or \"here\" expected, got 'up'", s.go, s, { way = "up" })
  t.assertErrorMsgContains("not an expression", s.go, s, { way = "on", stops = { { kind = "change",
    condition = "add:s32" } } })
  s:go { way = "time", count = 0 }
  t.assertStrContains(s:read { "%r9999:s32" }[1].trouble, "has no register")
  t.assertStrContains(s:read { "1 +" }[1].trouble, "not an expression")
  local k = kernel(BRANCH, "branch")
  t.assertErrorMsgContains("threads", gpu.step, k, { grid = 1, block = 2048 }, { gpu.buffer("int", 4), 1 })
end

-- Variables, textures, shared memory and a device's own emulator are copied, too.
function TestStep.test_variables_of_the_module()
  local module = gpu.compile_text [[__constant__ int c[4]; __device__ int d = 7;
    extern "C" __global__ void both(int *out) { out[0] = c[1] + d; d = 9; }]]
  module:symbol "c":upload({ 1, 2, 3, 4 }, "int")
  local out = gpu.buffer("int", 1, { fill = 0 })
  local s = gpu.step(module:kernel "both", { grid = 1, block = 1 }, { out })
  local value = s:read { "global:d load:global:s32:s32", "const:c #4:u64 add:u64 load:const:s32:s32" }
  t.assertStrContains(value[1].trouble, "nothing runs yet")
  s:go { way = "time", count = 0 }
  value = s:read { "global:d load:global:s32:s32", "const:c #4:u64 add:u64 load:const:s32:s32" }
  t.assertEquals({ value[1].lanes[0], value[2].lanes[0] }, { 7, 2 })
  t.assertEquals(module:symbol "d":download("int", 1)[0], 7)
end

function TestStep.test_a_trace_of_the_block()
  local s = branch(64)
  s:go { way = "time", count = 0 }
  local m = s:go { way = "on", trace = true }
  t.assertEquals(m.halt, "block ended")
  local warps, barriers, before = {}, 0, 0
  for _, e in ipairs(m.events) do
    warps[e.warp], barriers = true, barriers + (e.barrier and 1 or 0)
    t.assertTrue(e.time >= before)
    before = e.time
  end
  t.assertEquals({ warps[0], warps[1], warps[2] }, { true, true })
  t.assertEquals(barriers, 2)
  t.assertEquals(#s:go { way = "time", count = 0 }.events, 0)
end

-- What the block allocated is freed on the way back: the heap does not fill up.
function TestStep.test_objects_of_malloc()
  local k = kernel([[extern "C" __global__ void objects(int *out) {
    int *p = (int *)malloc(1 << 16);
    p[0] = threadIdx.x;
    out[threadIdx.x] = p != 0 ? p[0] : -1;
  }]], "objects")
  local s = gpu.step(k, { grid = 1, block = 32 }, { gpu.buffer("int", 32, { fill = 0 }) })
  local there = { number = 1, kind = "line", name = "<prompt>", line = 4 }
  for _ = 1, 10 do
    local m = s:go { way = "on", stops = { there } }
    t.assertEquals({ m.halt, m.mask }, { "stop", 0xffffffff })
    m = s:go { way = "line", back = true, count = 50 }
    t.assertEquals(m.halt, "begin")
  end
end

-- Stacks of blocks that begin again do not add up: a call works however often it was gone back over.
function TestStep.test_stacks_do_not_add_up()
  local k = kernel([[__device__ __noinline__ int deeper(int n, int *p) {
    int own[2048];
    own[n & 2047] = p[n & 7];
    return own[n & 2047];
  }
  extern "C" __global__ void calls(int *out) {
    out[threadIdx.x] = deeper(threadIdx.x, out);
  }]], "calls", { options = { "-G" } })
  local s = gpu.step(k, { grid = 1, block = 1024 }, { gpu.buffer("int", 1024, { fill = 1 }) })
  for _ = 1, 400 do
    t.assertEquals(s:go { way = "on" }.halt, "block ended")
    s:go { way = "time", count = 0 }
  end
end

-- A moment has what the block has printed until then, the end of it if it is much; not what other blocks print.
function TestStep.test_printf()
  local k = kernel([[#include <stdio.h>
  extern "C" __global__ void says(int n) {
    for (int i = 0; i < n; i++) {
      if (threadIdx.x == 16 * blockIdx.x)
        printf("%d in %d\n", i, blockIdx.x);
      __syncthreads();
    }
  }]], "says")
  local s = gpu.step(k, { grid = 2, block = 64 }, { 3 })
  local function until_line(back)
    return s:go { way = "on", back = back, block = 1,
      stops = { { number = 1, kind = "line", name = "<prompt>", line = 6, warp = 0 } } }
  end
  local texts = {}
  s:go { way = "time", count = 0, block = 1 }
  for i = 1, 3 do texts[i] = until_line().printed end
  t.assertEquals(texts, { "0 in 1\n", "0 in 1\n1 in 1\n", "0 in 1\n1 in 1\n2 in 1\n" })
  for i = 2, 1, -1 do t.assertEquals(until_line(true).printed, texts[i]) end
  local m = gpu.step(k, { grid = 1, block = 64 }, { 2000 }):go { way = "on" }
  local lines = {}
  for i = 0, 1999 do lines[i + 1] = ("%d in 0\n"):format(i) end
  local all = table.concat(lines)
  t.assertEquals(m.printed_bytes, #all)
  t.assertEquals(m.printed, all:sub(-#m.printed))
  t.assertTrue(#m.printed > 4000)
end

os.exit(t.LuaUnit.run("-o", "tap"), true)
