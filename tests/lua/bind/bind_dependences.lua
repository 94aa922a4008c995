-- report.dependences of gpu.count: which counters depend on the order of threads or on time, in kernels that have such
-- an access and in others that are close to it.
local t = require "luaunit"

local SOURCE <const> = [==[
extern "C" __global__ void compacted(int *out, const int *in, int *next) {
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (in[i] & 1) out[atomicAdd(next, 1)] = in[i];
}
extern "C" __global__ void drawn(int *out, const int *in, int *next) {
	__shared__ int tile;
	if (threadIdx.x == 0) tile = atomicAdd(next, 1);
	__syncthreads();
	out[blockIdx.x * blockDim.x + threadIdx.x] = in[tile * blockDim.x + threadIdx.x];
}
extern "C" __global__ void counted(int *out, const int *in, int *next) {
	__shared__ int bins[64];
	bins[threadIdx.x % 64] = 0;
	__syncthreads();
	atomicAdd(&bins[in[threadIdx.x] % 64], 1);
	__syncthreads();
	out[bins[threadIdx.x % 64] % 64] = threadIdx.x;
	if (atomicAdd(next, 1) == gridDim.x - 1) out[threadIdx.x] = in[threadIdx.x];
}
extern "C" __global__ void halved(int *out, const int *in, int *next) {
	__shared__ volatile int words[64];
	words[threadIdx.x] = in[threadIdx.x];
	__syncthreads();
	int steps = 0;
	while (words[0] < 1000) {
		__syncthreads();
		if (threadIdx.x == 0) words[0] = words[0] * 2 + 1;
		__syncthreads();
		steps++;
	}
	out[threadIdx.x] = steps;
}
extern "C" __global__ void handed(int *out, const int *in, volatile int *flag) {
	if (blockIdx.x == 0) {
		out[threadIdx.x] = in[threadIdx.x];
		__threadfence();
		__syncthreads();
		if (threadIdx.x == 0) *flag = 1;
	} else {
		while (*flag == 0);
		out[64 + threadIdx.x] = out[threadIdx.x];
	}
}
extern "C" __global__ void jumped(int *out, const int *in, int *list) {
	const int i = threadIdx.x;
	while (list[i] != 0 && list[list[i]] != 0) list[i] = list[list[i]];
}
extern "C" __global__ void own(int *out, const int *in, int *list) {
	const int i = threadIdx.x * 4;
	for (int k = 0; k < 3 && list[i + k] != 7; k++) list[i + k + 1] = list[i + k] + in[k];
}
extern "C" __global__ void summed(int *out, const int *in, int *next) {
	__shared__ float sum;
	if (threadIdx.x == 0) sum = 0;
	__syncthreads();
	atomicAdd(&sum, (float)in[threadIdx.x]);
	__syncthreads();
	out[threadIdx.x] = (int)sum;
}
extern "C" __global__ void waited(int *out, const int *in, int *next) {
	const long long began = clock64();
	int n = 0;
	while (clock64() - began < 1000000) n += in[threadIdx.x];
	out[threadIdx.x] = n != 0;
}
extern "C" __global__ void timed(int *out, const int *in, int *next) {
	const long long began = clock64();
	int n = in[threadIdx.x];
	for (int k = 0; k < 10; k++) n = in[n & 63];
	out[threadIdx.x] = (int)(clock64() - began) + n;
}
extern "C" __global__ void gathered(int *out, const int *in, int *list) {
	out[threadIdx.x] = in[list[threadIdx.x] & 63];
}
extern "C" __global__ void raised(int *out, const int *in, int *list) {
	out[threadIdx.x] = in[threadIdx.x] + 1;
}
extern "C" __global__ void left(int *out, const int *in, int *list) {
	if (list[threadIdx.x] == 2) return;
	out[threadIdx.x] = in[threadIdx.x];
}
extern "C" __global__ void reused(int *out, const int *in, int *next) {
	out[atomicAdd(next, 1)] = threadIdx.x;
	__syncthreads();
	out[512 + threadIdx.x] = in[out[threadIdx.x] & 63];
}
extern "C" __global__ void passed(int *next, int *list, int *out) {
	list[atomicAdd(next + threadIdx.x % 2, 1)] = threadIdx.x;
	__syncthreads();
	out[threadIdx.x] = list[threadIdx.x];
}
extern "C" __global__ void kept(int *out, const int *in, int own) {
	int *place = own ? (int *)malloc(sizeof(int)) : out + threadIdx.x;
	*(volatile int *)place = in[threadIdx.x];
}
__device__ void swap(int *word, int by) {
	int old = *word, was;
	do {
		was = old;
		old = atomicCAS(word, was, was * 3 + by);
	} while (was != old);
}
extern "C" __global__ void swapped(int *out, const int *in, int *word) {
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	swap(word + i % 8, i);
	out[i] = in[i];
}
extern "C" __global__ void swapped_met(int *out, const int *in, int *word) {
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	swap(word + i % 8, i);
	__syncwarp();
	out[i] = in[i];
}
extern "C" __global__ void swapped_by_one(int *out, const int *in, int *word) {
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (threadIdx.x % 32 == 0) swap(word, i);
	out[i] = 1;
}
extern "C" __global__ void swapped_and_stored_by_one(int *out, const int *in, int *word) {
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (threadIdx.x == 0) {
		swap(word, i);
		out[blockIdx.x] = 1;
	}
	__syncthreads();
	out[64 + i] = in[i];
}
extern "C" __global__ void swapped_again(int *out, const int *in, int *word) {
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
	for (int k = 0; k < 3; k++) swap(word + (i + k) % 8, i);
}
extern "C" __global__ void watched(int *out, const int *in, volatile int *flag) {
	if (blockIdx.x == 0)
		flag[threadIdx.x] = 1;
	else {
		while (flag[threadIdx.x] == 0);
		out[threadIdx.x] = 1;
	}
}
extern "C" __global__ void spread(int *out, const int *in, int *word) {
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
	for (int k = 0; k < (i & 7); k++) atomicAdd(word + (i + k) % 8, in[k]);
	out[i] = in[i];
}
extern "C" __global__ void popped(int *out, const int *in, int *next) {
	__shared__ int words[64], top;
	__shared__ int *place;
	words[threadIdx.x] = in[threadIdx.x];
	if (threadIdx.x == 0) top = 64, place = in[0] ? words : out;
	__syncthreads();
	out[64 + threadIdx.x] = place[atomicSub(&top, 1) - 1];
}
extern "C" __global__ void fetched(int *out, const int *in, int *next) {
	__shared__ int tile, sums[64];
	int best = -1;
	for (;;) {
		__syncthreads();
		if (threadIdx.x == 0) tile = atomicAdd(next, 1);
		__syncthreads();
		if (tile >= 4) break;
		const int found = in[tile * blockDim.x + threadIdx.x];
		if (found > best) {
			best = found;
			sums[63 - threadIdx.x] += found;
		}
	}
	out[blockIdx.x * blockDim.x + threadIdx.x] = best;
}
extern "C" __global__ void fetched_once(int *out, const int *in, int *next) {
	__shared__ int tile, sums[64];
	if (threadIdx.x == 0) tile = atomicAdd(next, 1);
	__syncthreads();
	if (in[tile * blockDim.x + threadIdx.x] & 1) sums[63 - threadIdx.x] += 2;
	__syncthreads();
	out[blockIdx.x * blockDim.x + threadIdx.x] = sums[threadIdx.x];
}
extern "C" __global__ void fetched_by_each(int *out, const int *in, int *next) {
	__shared__ int sums[64];
	if (in[atomicAdd(next, 1)] & 1) sums[63 - threadIdx.x] += 2;
	__syncthreads();
	out[blockIdx.x * blockDim.x + threadIdx.x] = sums[threadIdx.x];
}
extern "C" __global__ void used_later(int *out, const int *in, int *list) {
	int word;
	asm volatile("ld.global.u32 %0, [%1];" : "=r"(word) : "l"(in + threadIdx.x));
	if (list[threadIdx.x] == 1) asm volatile("st.global.u32 [%0], %1;" : : "l"(out + threadIdx.x), "r"(word));
}
extern "C" __global__ void used_anyway(int *out, const int *in, int *list) {
	int word;
	asm volatile("ld.global.u32 %0, [%1];" : "=r"(word) : "l"(in + threadIdx.x));
	if (list[threadIdx.x] == 1) asm volatile("st.global.u32 [%0], %1;" : : "l"(out + threadIdx.x), "r"(word));
	out[64 + threadIdx.x] = word;
}
__device__ __noinline__ int push(int x, int *list) {
	const int i = atomicAdd(list, 1);
	return i + x;
}
__device__ __noinline__ int polled(int x, int *list) { return x + *(volatile int *)list; }
__device__ __noinline__ int plain(int x, int *list) { return x * list[3] + 1; }
typedef int (*Function)(int, int *);
__device__ Function functions[3] = { push, polled, plain };
// On an H200 the lanes of a warp store by themselves behind these calls; __syncwarp() does not bring them together.
extern "C" __global__ void parted(int *out, const int *in, int *list) {
	int x = 0;
	if (threadIdx.x & 1) x = push(in[threadIdx.x], list);
	__syncwarp();
	out[threadIdx.x] = x;
}
extern "C" __global__ void parted_by_pointer(int *out, const int *in, int *list) {
	int x = 0;
	if (threadIdx.x & 1) x = functions[in[1]](in[threadIdx.x], list);
	out[threadIdx.x] = x;
}
extern "C" __global__ void parted_by_pointers(int *out, const int *in, int *list) {
	out[threadIdx.x] = functions[threadIdx.x % 3](in[threadIdx.x], list);
}
extern "C" __global__ void called_by_all(int *out, const int *in, int *list) {
	int x = 0;
	if (threadIdx.x < 64) x = push(in[threadIdx.x], list);
	out[threadIdx.x] = x;
}
extern "C" __global__ void called_plain(int *out, const int *in, int *list) {
	int x = 0;
	if (threadIdx.x & 1) x = plain(in[threadIdx.x], list);
	out[threadIdx.x] = x;
}
extern "C" __global__ void called_last(int *out, const int *in, int *list) {
	out[threadIdx.x] = in[threadIdx.x];
	if (threadIdx.x & 1) push(in[threadIdx.x], list);
}
]==]

-- What a kernel should say: "cause counters"; "" nothing.
local EXPECTED <const> = {
  compacted = "atomic_address global_store_sectors",
  drawn = "atomic_address global_load_sectors",
  counted = "",
  halved = "",
  handed = "waiting_loop global_load_sectors",
  jumped = "waiting_loop global_load_sectors global_store_sectors",
  own = "",
  summed = "shared_atomic shared_load_wavefronts",
  waited = "clock global_load_sectors",
  timed = "",
  swapped = "waiting_loop global_load_sectors global_store_sectors atomics", -- behind the loop, too
  swapped_met = "waiting_loop atomics",
  swapped_by_one = "waiting_loop global_store_sectors atomics",
  swapped_and_stored_by_one = "waiting_loop atomics",
  swapped_again = "waiting_loop global_load_sectors atomics", -- its load is before the loop, and behind it
  watched = "waiting_loop global_load_sectors global_store_sectors",
  spread = "",
  popped = "atomic_address shared_load_wavefronts", -- generic accesses, of shared memory in this launch
  fetched = "atomic_address global_load_sectors shared_load_wavefronts shared_store_wavefronts",
  fetched_once = "atomic_address global_load_sectors", -- all blocks together make the same accesses in each order
  parted = "parting_call global_store_sectors",
  parted_by_pointer = "parting_call global_store_sectors",
  parted_by_pointers = "parting_call global_store_sectors",
  called_by_all = "",
  called_plain = "",
  called_last = "",
  fetched_by_each = "atomic_address global_load_sectors shared_load_wavefronts shared_store_wavefronts",
}

local function said_of(report)
  local list = {}
  for i, entry in ipairs(report.dependences) do
    list[i] = entry.cause .. " " .. table.concat(entry.counters, " ")
  end
  return table.concat(list, "; ")
end

local device = gpu.open "emu"
local module = device:compile_text(SOURCE)

local function count(name, last)
  local out, from = device:buffer("int", 1024, { fill = 0 }), device:buffer("int", 1024, { fill = 1 })
  local word = last or device:buffer("int", 1024, { fill = 0 })
  if name == "jumped" then word[3], word[2] = 2, 1 end
  return device:count(module:kernel(name), { grid = 2, block = 64 }, { out, from, word })
end

TestDependences = {}

function TestDependences.test_each_cause()
  for name, want in pairs(EXPECTED) do t.assertEquals(name .. ": " .. said_of(count(name)), name .. ": " .. want) end
end

-- A list of launches: what the second says, if the first stores by the result of an atomic, and if it does not.
function TestDependences.test_an_order_in_a_launch_before()
  local from, list, out = device:buffer("int", 1024, { fill = 1 }), device:buffer("int", 1024, { fill = 0 }),
    device:buffer("int", 1024, { fill = 0 })
  local function second(first, name)
    local next = device:buffer("int", 1024, { fill = 0 })
    local config = { grid = 1, block = 64 }
    local before, last = module:kernel(first), module:kernel(name)
    return said_of(device:count {
      { kernel = before, config = config, args = { list, from, next } },
      { kernel = last, config = config, args = { out, name == "raised" and list or from, list } } })
  end
  t.assertEquals(second("compacted", "gathered"), "atomic_address global_store_sectors; earlier_order global_load_sectors")
  t.assertEquals(second("compacted", "left"),
    "atomic_address global_store_sectors; earlier_order global_load_sectors global_store_sectors")
  t.assertEquals(second("compacted", "raised"), "atomic_address global_store_sectors")
  t.assertEquals(second("raised", "gathered"), "")
  t.assertEquals(second("fetched", "gathered"), EXPECTED.fetched .. "; earlier_order global_load_sectors")
  t.assertEquals(second("compacted", "used_later"),
    "atomic_address global_store_sectors; earlier_order global_load_sectors global_store_sectors")
  t.assertEquals(second("compacted", "used_anyway"), "atomic_address global_store_sectors; earlier_order global_store_sectors")
end

-- A kernel that loads what it stored itself passes that on. Its own loads are not named: they may be of other parts.
function TestDependences.test_an_order_in_the_same_launch()
  t.assertEquals(said_of(count("reused")), "atomic_address global_store_sectors")
  local from, list, out = device:buffer("int", 1024, { fill = 1 }), device:buffer("int", 1024, { fill = 0 }),
    device:buffer("int", 1024, { fill = 0 })
  local config = { grid = 1, block = 64 }
  t.assertEquals(said_of(device:count {
    { kernel = module:kernel "passed", config = config, args = { from, list, out } },
    { kernel = module:kernel "gathered", config = config, args = { from, from, out } } }),
    "atomic_address global_store_sectors; earlier_order global_load_sectors")
end

function TestDependences.test_only_what_ran()
  t.assertEquals(said_of(count("kept", 0)), "")
  t.assertEquals(said_of(count("kept", 1)), "device_call global_load_sectors global_store_sectors")
end

function TestDependences.test_the_place_is_in_the_kernel()
  t.assertEquals(count("compacted").dependences[1].line, 3)
end

-- Lab 10's flag is polled, and its barriers are not.
function TestDependences.test_lab_kernels()
  local sync = device:compile("sync.cu", { names = { "passed_on<true>", "reversed" } })
  local n = 64
  local out, from = device:buffer("int", n, { fill = 0 }), device:buffer("int", n, { fill = 1 })
  local report = device:count(sync:kernel "passed_on<true>", { grid = 2, block = 64 }, { out, from })
  t.assertEquals(said_of(report), "waiting_loop shared_load_wavefronts")
  report = device:count(sync:kernel "reversed", { grid = 1, block = 64 }, { out, from })
  t.assertEquals(said_of(report), "")
end

os.exit(t.LuaUnit.run("-o", "tap"), true)
