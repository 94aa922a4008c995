-- Going back over many instructions begins at an image of the block, which must be all that the block was.
local t = require "luaunit"

local SLOW <const> = os.getenv "GPULAB_TEST_SLOW" ~= nil -- a build with sanitizers: the same ways, fewer times

local SOURCE <const> = [[
#include <cooperative_groups.h>
__device__ int depth(int n) { return n <= 0 ? 1 : depth(n - 1) + n; }
extern "C" __global__ void long_one(int *out, int rounds) {
  __shared__ int s[64];
  int own[8] = {};
  int tid = threadIdx.x, before = clock64();
  s[tid] = tid;
  __syncthreads();
#pragma unroll 1
  for (int i = 0; i < rounds; i++) {
    int v = s[(tid + i) % 64];
    if ((v + i) % 3 == 0)
      v += depth(v % 4);
    else
      own[v & 7] += i;
    __syncthreads();
    if (tid % 32 == i % 32)
      atomicAdd(&s[i % 64], v);
    v += __shfl_xor_sync(0xffffffff, v, 1);
    if (i % 64 == 0)
      out[tid + blockIdx.x * 64] += v + own[i & 7] + (int)clock64() - before;
    __syncthreads();
  }
  out[tid + blockIdx.x * 64] = s[tid];
}]]

local function opened(grid, rounds)
  local kernel = gpu.compile_text(SOURCE):kernel "long_one"
  local out = gpu.buffer("int", 64 * grid, { name = "out", fill = 1 })
  return gpu.step(kernel, { grid = grid, block = 64 }, { out, rounds })
end

-- Shared and global memory, registers, local memory, and where all warps are.
local function seen(s, m)
  local parts, codes = { m.time, m.count, m.line, m.mask, m.instruction, m.warp }, {}
  for i = 0, 63 do codes[#codes + 1] = ("#%x:u64 load:shared:s32:s32"):format(4 * i) end
  for i = 0, 63 do codes[#codes + 1] = ("param+0:u64 #%x:u64 add:u64 load:global:s32:s32"):format(4 * i) end
  for i = 0, 7 do codes[#codes + 1] = ("#%x:u64 load:local:s32:s32"):format(4 * i) end
  for i = 1, 40 do
    codes[#codes + 1] = ("%%r%d:s32"):format(i)
    codes[#codes + 1] = ("%%r%d:when"):format(i)
  end
  for _, side in ipairs(m.sides) do
    parts[#parts + 1] = ("%s %x %d %d"):format(side.state, side.mask, side.line, side.rejoin)
  end
  for _, w in ipairs(m.warps) do parts[#parts + 1] = ("%s %x %d %d"):format(w.state, w.mask, w.line, w.instructions) end
  for _, f in ipairs(m.frames) do parts[#parts + 1] = ("%s:%d"):format(f.name, f.line) end
  for _, a in ipairs(m.accesses) do parts[#parts + 1] = a.access .. a.space .. tostring(a.lanes[3]) end
  for _, v in ipairs(s:read(codes)) do
    for lane = 0, 31 do parts[#parts + 1] = tostring(v.lanes[lane]) end
  end
  return table.concat(parts, " ")
end

TestBack = {}

function TestBack.test_any_moment_again()
  local s, fresh = opened(3, 3000), {}
  s:go { way = "time", count = 0, block = 1 }
  local last = s:go { way = "on", block = 1 }.time
  t.assertTrue(last > 300000)
  math.randomseed(1)
  local function moment(of, time)
    local warp = time % 2
    return seen(of, of:go { way = "time", count = time, block = 1, warp = warp })
  end
  for _ = 1, SLOW and 3 or 12 do -- each in a launch that has not gone back
    local time, straight = math.random(last - 1), opened(3, 3000)
    straight:go { way = "time", count = 0, block = 1 }
    fresh[time] = moment(straight, time)
    straight:close()
  end
  for _ = 1, SLOW and 1 or 3 do
    for time, expected in pairs(fresh) do t.assertEquals(moment(s, time), expected) end
  end
end

function TestBack.test_each_way_back_is_the_way_that_it_went()
  local SPACING <const>, AROUND <const> = 1 << 15, SLOW and 15 or 40 -- of images; from here to the next one
  local stops = { { number = 5, kind = "line", name = "<prompt>", line = 20,
    condition = "%tid.x:u32 #7:u32 eq:s32" } }
  local change = { { number = 6, kind = "change", condition = "#8:u64 load:shared:s32:s32" } }
  local access = { { number = 7, kind = "address", address = 8, bytes = 4, space = "shared", stores = true } }
  for _, case in ipairs { { "line" }, { "over" }, { "instruction" }, { "on", stops }, { "on", change },
    { "on", access } } do
    local way, own = case[1], case[2]
    local s, list = opened(1, 3000), {}
    s:go { way = "time", count = 0 }
    local m = s:go { way = "time", count = 3 * SPACING - AROUND, warp = 1 }
    if way == "on" then m = s:go { way = way, warp = m.warp, stops = own } end
    for _ = 1, way == "on" and 12 or AROUND + 20 do
      list[#list + 1] = seen(s, m)
      m = s:go { way = way, warp = m.warp, stops = own }
    end
    t.assertTrue(m.time >= 3 * SPACING + 20)
    for i = #list, 2, -1 do -- the first one is only a time
      m = s:go { way = way, back = true, warp = m.warp, stops = own }
      t.assertEquals(seen(s, m), list[i], ("%s %d"):format(way, i))
    end
    local many = s:go { way = "time", count = 5 * SPACING, warp = m.warp }
    t.assertTrue(many.time > m.time)
    s:close()
  end
end

function TestBack.test_back_by_a_count_is_so_many_times_back()
  for _, way in ipairs { "line", "over" } do
    local s = opened(1, 3000)
    s:go { way = "time", count = 150000, warp = 1 }
    local one, COUNT <const> = nil, SLOW and 20 or 300
    for _ = 1, COUNT do one = seen(s, s:go { way = way, back = true, warp = 1 }) end
    s:go { way = "time", count = 150000, warp = 1 }
    t.assertEquals(seen(s, s:go { way = way, back = true, count = COUNT, warp = 1 }), one)
    local far = s:go { way = way, back = true, count = 1000000, warp = 1 }
    t.assertEquals({ far.halt, far.time }, { "begin", 0 })
    s:close()
  end
end

function TestBack.test_objects_of_malloc_get_their_addresses_again()
  local kernel = gpu.compile_text([[extern "C" __global__ void heap(long *out, int n) {
    for (int i = 0; i < n; i++) {
      int *p = (int *)malloc(64);
      p[1] = i;
      out[i % 8] = (long)p;
      if (i % 2) free(p);
    }
  }]]):kernel "heap"
  local out = gpu.buffer("long", 8, { name = "out", fill = 0 })
  local s = gpu.step(kernel, { grid = 2, block = 1 }, { out, 3000 })
  local codes = {}
  for i = 0, 7 do codes[#codes + 1] = ("param+0:u64 #%x:u64 add:u64 load:global:s64:s64"):format(8 * i) end
  local function at(time)
    s:go { way = "time", count = time, block = 1 }
    local values = {}
    for i, read in ipairs(s:read(codes)) do values[i] = read.lanes[0] end
    return values
  end
  s:go { way = "time", count = 0, block = 1 }
  local moments = {}
  for _, time in ipairs { 1000, 60000, 20000 } do moments[time] = at(time) end
  s:go { way = "time", count = 0, block = 0 }
  s:go { way = "time", count = 0, block = 1 }
  for _ = 1, 3 do
    for time, values in pairs(moments) do t.assertEquals(at(time), values) end
  end
end

-- Block 0 waits for block 1 again and again, so that other blocks have turns while it is stepped.
function TestBack.test_blocks_that_wait_for_each_other()
  local kernel = gpu.compile_text([[extern "C" __global__ void wait(volatile int *out, int rounds) {
    for (int i = 1; i <= rounds; i++)
      if (blockIdx.x == 0) {
        out[0] = i;
        while (out[1] < i) ;
      } else if (blockIdx.x == 1) {
        while (out[0] < i) ;
        out[1] = i;
        out[2] += out[0] * i;
      }
  }]]):kernel "wait"
  local out = gpu.buffer("int", 4, { name = "out", fill = 0 })
  local s = gpu.step(kernel, { grid = 3, block = 1 }, { out, 60 })
  local codes = {}
  for i = 0, 2 do codes[#codes + 1] = ("param+0:u64 #%x:u64 add:u64 load:global:s32:s32"):format(4 * i) end
  local function at(time)
    local m = s:go { way = "time", count = time }
    local values = { m.time, m.line }
    for _, read in ipairs(s:read(codes)) do values[#values + 1] = read.lanes[0] end
    return values
  end
  s:go { way = "time", count = 0 }
  local last = s:go({ way = "on" }).time
  t.assertTrue(last > 100000)
  local moments = {}
  for _, part in ipairs { 10, 25, 50, 75, 99 } do
    local time = last * part // 100
    s:go { way = "time", count = 0 }
    moments[time] = at(time)
    t.assertTrue(moments[time][5] > 0)
  end
  for _ = 1, 3 do
    for time, values in pairs(moments) do t.assertEquals(at(time), values) end
  end
end

os.exit(t.LuaUnit.run("--output", "tap"), true)
