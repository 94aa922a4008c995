-- gpu.count{reach=true}: each launch by itself, what it reached, its busiest warp, block and address; and the counters of
-- atomics and double precision, held against kernels whose numbers are known by hand.
local t = require "luaunit"

local SOURCE <const> = [[
extern "C" __global__ void reads(float *out, const float *in, int n, int again) {
	int i = (blockIdx.x * blockDim.x + threadIdx.x) % n;
	float sum = 0;
	for (int k = 0; k < again; k++) sum += ((volatile const float *)in)[i];
	out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
extern "C" __global__ void one_warp(unsigned *out) {
	if (blockIdx.x == 2 && threadIdx.x / 32 == 1)
#pragma unroll 1
		for (int k = 0; k < 1000; k++) asm volatile("");
	out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
extern "C" __global__ void strided(float *out, int stride, int offset) {
	out[(blockIdx.x * blockDim.x + threadIdx.x) * stride + offset] = 1;
}
extern "C" __global__ void bytes(unsigned char *out, const volatile unsigned char *in, int from, int to) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i * to] = in[i * from];
}
extern "C" __global__ void half(unsigned *out) {
	if (blockIdx.x % 2 == 0 && threadIdx.x < 65) out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
extern "C" __global__ void tiles(float *out, const float *in, int ahead) {
	__shared__ float s[2][64];
	float sum = 0;
	if (ahead) s[0][threadIdx.x] = in[threadIdx.x];
	__syncthreads();
	for (int k = 0; k < 8; k++) {
		if (!ahead) {
			s[0][threadIdx.x] = in[64 * k + threadIdx.x];
			__syncthreads();
		} else if (k < 7)
			s[k % 2 ^ 1][threadIdx.x] = in[64 * (k + 1) + threadIdx.x];
		sum += s[ahead ? k % 2 : 0][63 - threadIdx.x];
		__syncthreads();
	}
	out[blockIdx.x * 64 + threadIdx.x] = sum;
}
extern "C" __global__ void one_block(float *out, int which) {
	out[blockIdx.x * blockDim.x + (blockIdx.x == which ? threadIdx.x * 8 % 255 : threadIdx.x)] = 1;
}
extern "C" __global__ void adds(unsigned *to, int every) {
	__shared__ unsigned s[32];
	if (threadIdx.x < 32) s[threadIdx.x] = 0;
	__syncthreads();
	atomicAdd(&s[threadIdx.x % every], 1);
	atomicAdd(&to[threadIdx.x / every], 1);
}
extern "C" __global__ void polls(unsigned *word, int how) {
#pragma unroll 1
	for (int k = 0; k < 9; k++)
		if (how == 0) atomicAdd(word, 0);
		else if (how == 1) atomicCAS(word, 1, 0);
		else if (how == 2) atomicExch(word, 1);
		else if (how == 3) (void)*(volatile unsigned *)word;
		else if (how == 4) atomicAdd(word, 1);
		else if (how == 5) atomicMax(word, k);
		else atomicInc(word, 99);
}
extern "C" __global__ void shares(float *out, const float4 *in) {
	float4 v = in[threadIdx.x];
	if (threadIdx.x < 32) v.x += ((volatile float *)in)[threadIdx.x + 999];
	if (threadIdx.x < 8) v.x += ((volatile float *)in)[threadIdx.x + 1999];
	out[threadIdx.x] = v.x + v.y + v.z + v.w;
}
__constant__ float table[64];
extern "C" __global__ void kinds(float *out, const int *in, cudaTextureObject_t image) {
	float x = in[threadIdx.x];
	float4 t = tex2Dgather<float4>(image, x, 2);
	out[threadIdx.x] = x + t.y + table[threadIdx.x % 64];
}
// Of the first warp half of the lanes load two bytes, a lane counts bits, the first warp exchanges; lanes 0 to 7 load at the end.
extern "C" __global__ void parts(short *out, const short *in, int d) {
	__shared__ int s[64];
	int t = threadIdx.x, x = t < 16 || t >= 32 ? ((volatile const short *)in)[t] : 0;
	s[t] = x % d;
	if (t < 32) x = __shfl_xor_sync(~0u, x, 1) + __ballot_sync(~0u, x > d);
	__syncthreads();
	if (t < 8) x += s[t + d];
	if (t == 0) out[0] = __popc(x);
	if (t >= 62) return;
	__syncthreads();
	((volatile short *)out)[t] = x;
	if (t < 8) x = s[t + d];
	if (x == 12345) out[1] = x;
}
extern "C" __global__ void twice(double *to, const double *from, float *small) {
	to[threadIdx.x] = from[threadIdx.x] * from[threadIdx.x];
	small[threadIdx.x] *= 3;
}
// After the last barrier all lanes of the first warp load, then half of them, and half of these exchange.
extern "C" __global__ void fewer(int *out, const int *in) {
	__shared__ int s[64];
	int t = threadIdx.x, x = 0;
	s[t] = in[t];
	__syncthreads();
	if (t >= 32) return;
	x = s[t + 1];
	if (t < 16) x += s[t + 2];
	if (t < 8) x = __shfl_xor_sync(0xff, x, 1);
	out[t] = x;
}
// The first block loads and stores two words per thread; its first warp loads another word of shared memory. All threads
// read a constant, and compute an and and a shift.
extern "C" __global__ void uneven(int *out, const int *in) {
	__shared__ short s[64];
	int t = threadIdx.x, x = in[blockIdx.x * 64 + t], y = (x & table[0] > 0 ? 5 : 3) + (x >> 2);
	s[t] = y;
	if (t < 32) y += ((volatile short *)s)[t];
	out[blockIdx.x * 64 + t] = y;
	if (blockIdx.x == 0) out[gridDim.x * 64 + t] = in[gridDim.x * 64 + t];
}
// Eight tiles of 32 words per warp, of which `ahead` are in flight while one is used; without a wait for groups, all are
// waited for.
extern "C" __global__ void copies(int *out, const int *in, int ahead, int groups) {
	__shared__ int tile[4][64];
	int t = threadIdx.x, sum = 0;
	for (int k = 0; k < 8 + ahead; k++) {
		if (k < 8) asm volatile("cp.async.ca.shared.global [%0], [%1], 4;"
			:: "r"((unsigned)__cvta_generic_to_shared(&tile[k % 4][t])), "l"(in + 64 * k + t) : "memory");
		if (groups) asm volatile("cp.async.commit_group;" ::: "memory");
		if (k < ahead) continue;
		if (!groups) asm volatile("cp.async.wait_all;" ::: "memory");
		else if (ahead == 1) asm volatile("cp.async.wait_group 1;" ::: "memory");
		else asm volatile("cp.async.wait_group 2;" ::: "memory");
		sum += tile[(k - ahead) % 4][t];
	}
	out[blockIdx.x * 64 + t] = sum;
}
// A row of words or a column in both memories, then a load after that store; an mbarrier, and who is converged.
extern "C" __global__ void lines(int *out, const int *in, int column) {
	__shared__ int s[32][33];
	__shared__ unsigned long long bar;
	int t = threadIdx.x, mask;
	s[column ? t : 3][column ? 3 : t] = in[t];
	if (t == 0) asm volatile("mbarrier.init.shared.b64 [%0], 1;" :: "r"((unsigned)__cvta_generic_to_shared(&bar)));
	asm volatile("activemask.b32 %0;" : "=r"(mask));
	out[column ? 32 * t : t] = s[column ? t : 3][column ? 3 : t];
	out[1024 + t] = ((volatile const int *)in)[32 + t] + mask;
}
]]

local WAITING <const> = [[
// All threads wait at a cuda::barrier, which the first one makes.
#include <cuda/barrier>
extern "C" __global__ void waits(int *out, int many) {
	__shared__ cuda::barrier<cuda::thread_scope_block> b;
	if (threadIdx.x == 0) init(&b, blockDim.x);
	__syncthreads();
	if (threadIdx.x < 32)
#pragma unroll 1
		for (int k = 0; k < many; k++) asm volatile("");
	b.arrive_and_wait();
	out[threadIdx.x] = 1;
}
extern "C" __global__ void turns(int *out) {
	__shared__ cuda::barrier<cuda::thread_scope_block> b;
	__shared__ volatile int s[128];
	int t = threadIdx.x;
	if (t == 0) init(&b, blockDim.x);
	__syncthreads();
	s[t] = 0;
	for (int k = 0; k < 8; k++) {
		for (int j = 0; j < 100; j++) s[t] = s[t] + 1;
		b.arrive_and_wait();
	}
	out[t] = s[t];
}
]]

local device = gpu.open "emu"
local module = device:compile_text(SOURCE)

local function reach_of(name, grid, block, args, from, schedule)
  local report = device:count((from or module):kernel(name), { grid = grid, block = block, schedule = schedule }, args,
    { reach = true, models = { "H200" } })
  t.assertEquals(#report.items, 1)
  return report.items[1].reach, report.items[1]
end

TestReach = {}

function TestReach.test_working_warps()
  local out = device:buffer("unsigned", 1 << 14)
  t.assertEquals(reach_of("one_warp", 100, 128, { out }).working_warps, 400)
  t.assertEquals(reach_of("half", 100, 128, { out }).working_warps, 150) -- of three, where one thread makes a warp work
end

-- Of 128 bytes in one piece, which are in four sectors or five.
function TestReach.test_scattered_sectors()
  local out = device:buffer("float", 8 * 64 * 32)
  for _, case in ipairs { { 1, 0, 0 }, { 1, 3, 0 }, { 2, 0, 8 - 5 }, { 8, 0, 32 - 5 }, { 32, 0, 32 - 5 }, { 0, 0, 0 } } do
    local stride, offset, per_warp = table.unpack(case)
    t.assertEquals(reach_of("strided", 4, 64, { out, stride, offset }).scattered_sectors, 8 * per_warp)
  end
end

-- A compiler may load one byte of a word that the code loads, so bytes four apart are in one piece; stores are as they are written.
function TestReach.test_scattered_bytes()
  local out, from = device:buffer("unsigned char", 8 * 256), device:buffer("unsigned char", 8 * 256, { fill = 1 })
  for _, case in ipairs { { 1, 1, 0 }, { 4, 1, 0 }, { 8, 1, 8 - 5 }, { 1, 4, 4 - 2 } } do
    local load, store, per_warp = table.unpack(case)
    t.assertEquals(reach_of("bytes", 4, 64, { out, from, load, store }).scattered_sectors, 8 * per_warp)
  end
end

-- Loads between barriers without their share of the shared loads: all, or those of the first of eight tiles.
function TestReach.test_loads_that_nothing_overlaps()
  local out, from = device:buffer("float", 4 * 64), device:buffer("float", 512, { fill = 1 })
  t.assertEquals(reach_of("tiles", 3, 64, { out, from, 0 }).serial_loads, 3 * 2 * 8)
  t.assertEquals(reach_of("tiles", 3, 64, { out, from, 1 }).serial_loads, 3 * 2 * 1)
  t.assertEquals(reach_of("reads", 4, 64, { out, from, 100, 1 }).serial_loads, 4 * 2) -- nothing to overlap with
end

-- Of eight uses the last ones have fewer copies in flight.
function TestReach.test_copies_in_flight()
  local out, from = device:buffer("int", 3 * 64), device:buffer("int", 512, { fill = 1 })
  for _, case in ipairs { { 0, 0, 0 }, { 1, 0, 0 }, { 1, 1, 7 }, { 2, 1, 7 + 6 } } do
    local ahead, groups, tiles = table.unpack(case)
    local x = reach_of("copies", 3, 64, { out, from, ahead, groups })
    t.assertEquals({ x.copy_uses, x.copy_bytes }, { 3 * 2 * 8, 3 * 2 * 128 * tiles })
  end
end

-- Two warps load 16 bytes per lane, the first one a word more, and eight of its lanes one by themselves.
function TestReach.test_shares_of_threads_and_warps()
  local out, from = device:buffer("float", 64), device:buffer("float", 4096, { fill = 1 })
  local x = reach_of("shares", 3, 64, { out, from })
  t.assertEquals({ x.lone_thread, x.busiest_loads, x.busiest_words, x.loaded_words },
    { 1, 3, 128 + 32 + 8, 3 * (256 + 32 + 8) })
end

function TestReach.test_kinds_of_instructions()
  local image = device:texture(device:buffer("float", 64, { fill = 1 }), { width = 8, height = 8, filter = "linear" })
  local x = reach_of("kinds", 2, 64, { device:buffer("float", 64), device:buffer("int", 64, { fill = 1 }), image })
  t.assertEquals({ x.conversions, x.gathers }, { 4, 4 })
end

-- Who takes part, what a thread loads and stores, and the instructions that tasks are about.
function TestReach.test_what_tasks_ask_for()
  local x = reach_of("parts", 3, 64, { device:buffer("short", 256), device:buffer("short", 256, { fill = 1 }), 3 })
  t.assertEquals({ x.working_warps, x.working_threads, x.combining_warps }, { 6, 3 * 64, 3 })
  t.assertEquals({ x.busiest_loads, x.busiest_stores }, { 1, 2 })
  t.assertEquals({ x.votes, x.shuffles, x.popcounts, x.divisions }, { 3, 3, 3, 6 })
  t.assertEquals({ x.idle_at_end, x.waiting }, { 24, 0 })
end

function TestReach.test_lanes_after_the_last_barrier()
  local x = reach_of("fewer", 2, 64, { device:buffer("int", 64), device:buffer("int", 64, { fill = 1 }) })
  t.assertEquals({ x.idle_at_end, x.away_at_end }, { 0, 32 - (32 + 16 + 8) // 3 })
end

function TestReach.test_what_threads_do()
  t.assertEquals(reach_of("adds", 3, 64, { device:buffer("unsigned", 64, { fill = 0 }), 2 }).shared_updates, 3 * 64)
  local to, from = device:buffer("double", 64), device:buffer("double", 64, { fill = 1 })
  t.assertEquals(reach_of("twice", 3, 64, { to, from, device:buffer("float", 64, { fill = 1 }) }).float_operations, 3 * 64)
end

function TestReach.test_parts_of_threads_warps_and_blocks()
  local x = reach_of("uneven", 3, 64, { device:buffer("int", 256), device:buffer("int", 256, { fill = 9 }) })
  t.assertEquals({ x.thread_stored, x.warp_words, x.block_words }, { 2, 3 * 32, 2 * 64 })
  t.assertEquals({ x.constant_words, x.shared_stored, x.products }, { 3 * 64, 2 * 3 * 64, 0 })
  t.assertEquals(x.bit_operations, 2 * 3 * 64)
end

-- The other warps wait for the first one, which is no work.
function TestReach.test_waiting_is_no_work()
  local with_barrier = device:compile_text(WAITING)
  local function busiest(many)
    return (reach_of("waits", 2, 128, { device:buffer("int", 128), many }, with_barrier))
  end
  local short, long = busiest(1), busiest(1000)
  t.assertTrue(short.waiting > 0 and long.waiting > short.waiting)
  t.assertTrue(short.busiest_warp < 40)
  t.assertTrue(long.busiest_warp > short.busiest_warp)
end

-- Where a warp is held back, the others test the mbarrier it is to arrive at, but not all the time.
function TestReach.test_waiting_in_adversarial_orders()
  local with_barrier, first = device:compile_text(WAITING), nil
  for order = 1, 16 do
    local x, item = reach_of("turns", 4, 128, { device:buffer("int", 128) }, with_barrier, order)
    t.assertTrue(x.waiting < 3 * item.counters.warp_instructions - 3 * x.waiting,
      ("order %d: %d of %d"):format(order, x.waiting, item.counters.warp_instructions))
    first = first or x
    t.assertEquals(x.busiest_warp, first.busiest_warp)
  end
end

function TestReach.test_sectors_over_the_link()
  local near, far = device:buffer("float", 512, { fill = 1 }), device:buffer("float", 512, { fill = 1, memory = "mapped" })
  local out = device:buffer("float", 512)
  t.assertEquals(reach_of("reads", 4, 64, { out, near, 256, 3 }).link_sectors, 0)
  t.assertEquals(reach_of("reads", 4, 64, { out, far, 256, 3 }).link_sectors, 3 * 4 * 64 // 8)
end

function TestReach.test_the_busiest_block()
  local out = device:buffer("float", 256 * 300)
  for _, which in ipairs { 0, 17, 299 } do
    local x, item = reach_of("one_block", 300, 256, { out, which })
    t.assertEquals(item.counters.global_store_sectors, 300 * 32 - 32 + item.busiest.global_store_sectors)
    t.assertTrue(item.busiest.global_store_sectors > 200)
    t.assertEquals(item.busiest.global_store_requests, 8)
    t.assertTrue(item.busiest.warp_instructions > x.busiest_warp)
    t.assertEquals(x.scattered_in_block, x.scattered_sectors)
  end
end

function TestReach.test_the_busiest_warp()
  local out = device:buffer("unsigned", 512)
  local x, item = reach_of("one_warp", 4, 128, { out })
  local rest = item.counters.warp_instructions - x.busiest_warp
  t.assertTrue(x.busiest_warp > 2000)
  t.assertTrue(rest % 15 == 0 and rest // 15 < 40) -- 15 warps that do the same
end

function TestReach.test_atomics_by_space_and_address()
  for every, conflicts in pairs { [1] = 8 * 31, [32] = 8 * 31, [8] = 8 * (24 + 28) } do
    local to = device:buffer("unsigned", 128, { fill = 0 })
    local x, item = reach_of("adds", 2, 128, { to, every })
    local c = item.counters
    t.assertEquals({ c.atomics, c.global_atomics, c.shared_atomics }, { 16, 8, 8 })
    t.assertEquals({ c.atomic_conflicts, x.busiest_address }, { conflicts, 2 * every })
  end
end

-- Of accesses that only wait, which depends on when others run, the first one counts; others all count.
function TestReach.test_polls()
  for how, want in pairs { [0] = { 8, 1 }, { 8, 1 }, { 8, 1 }, { 0, 0 }, { 0, 9 }, { 0, 9 }, { 0, 9 } } do
    local x = reach_of("polls", 1, 1, { device:buffer("unsigned", 1, { fill = 0 }), how })
    t.assertEquals({ x.polls, x.busiest_address, x.block_words }, { want[1], want[2], how == 3 and 1 or 0 }, how)
  end
end

function TestReach.test_double_precision()
  local to, from, small = device:buffer("double", 64), device:buffer("double", 64, { fill = 2 }),
    device:buffer("float", 64, { fill = 1 })
  local _, item = reach_of("twice", 1, 64, { to, from, small })
  t.assertEquals(item.counters.fp64_instructions, 2)
end

function TestReach.test_each_launch_by_itself()
  local a, b = device:buffer("float", 256), device:buffer("float", 256, { fill = 1 })
  local kernel = module:kernel "reads"
  local report = device:count({ { kernel = kernel, config = { grid = 1, block = 128 }, args = { a, b, 128, 1 } },
    { kernel = kernel, config = { grid = 2, block = 128 }, args = { a, b, 256, 1 } } }, { reach = true, models = { "H200" } })
  t.assertEquals({ #report.items, report.items[1].reach.loaded_words, report.items[2].reach.loaded_words }, { 2, 128, 256 })
  t.assertEquals(report.counters.warp_instructions,
    report.items[1].counters.warp_instructions + report.items[2].counters.warp_instructions)
  t.assertAlmostEquals(report.models.H200.ms, report.items[1].models.H200 + report.items[2].models.H200, 1e-12)
end

function TestReach.test_words_next_to_each_other()
  local out, from = device:buffer("int", 1024 + 32), device:buffer("int", 64, { fill = 1 })
  for column = 0, 1 do
    local x = reach_of("lines", 3, 32, { out, from, column })
    t.assertEquals({ x.shared_stores, x.shared_neighbors, x.global_stores, x.global_neighbors },
      { 3 * 32, 3 * 31 * (1 - column), 3 * 64, 3 * 31 * (2 - column) })
    t.assertEquals({ x.tile_words, x.late_words, x.mbarriers, x.activemasks }, { 3 * 32, 3 * 32, 3, 3 })
  end
end

function TestReach.test_refuses()
  local out = device:buffer("unsigned", 512)
  local kernel, config = module:kernel "one_warp", { grid = 4, block = 128 }
  t.assertErrorMsgContains("reach: true or false", device.count, device, kernel, config, { out }, { reach = 1 })
  t.assertErrorMsgContains("a sample", device.count, device, kernel, config, { out }, { reach = true, sample = 2 })
  t.assertNil(device:count(kernel, config, { out }).items)
end

os.exit(t.LuaUnit.run("-o", "tap"), true)
