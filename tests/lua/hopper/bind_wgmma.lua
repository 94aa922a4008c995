-- Products of warpgroups: small matrix multiplications as kernels for Hopper are written, compiled by NVRTC from CUDA
-- C++, compared with a sum on the host, under all checkers.
local t = require "luaunit"

local device = gpu.open "emu:H100"

local HEAD <const> = [[
#include <cuda.h>
#include <cuda_fp16.h>

__device__ unsigned address(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

// of rows of 128 bytes, whose pieces of 16 bytes are swizzled
__device__ unsigned long long swizzled(const void *tile)
{
	return (address(tile) & 0x3ffff) >> 4 | 1ull << 16 | (1024ull >> 4) << 32 | 1ull << 62;
}
__device__ void fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ void commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int N> __device__ void wait() { asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(N) : "memory"); }

__device__ void multiply(float (&d)[8], unsigned long long a, unsigned long long b)
{
	asm volatile("wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, %8, %9, 1, 1, 1, "
	             "0, 0;"
	             : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7])
	             : "l"(a), "l"(b));
}
__device__ void store(float *out, int n, const float (&d)[8])
{
	const int row = threadIdx.x % 128 / 32 * 16 + threadIdx.x % 32 / 4, column = threadIdx.x % 4 * 2;
	for (int i = 0; i < 8; i++) out[(row + i / 2 % 2 * 8) * n + column + i / 4 * 8 + i % 2] = d[i];
}
__device__ void init(unsigned long long *bar, int count)
{
	asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address(bar)), "r"(count) : "memory");
}
__device__ void expect(unsigned long long *bar, int bytes)
{
	asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address(bar)), "r"(bytes) : "memory");
}
__device__ void arrive(unsigned long long *bar)
{
	asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address(bar)) : "memory");
}
__device__ void await(unsigned long long *bar, int parity)
{
	asm volatile("{ .reg .pred p; WAIT: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1; @!p bra WAIT; }" ::"r"(
	             address(bar)), "r"(parity) : "memory");
}
__device__ void load(void *tile, const CUtensorMap *map, int x, int y, unsigned long long *bar)
{
	asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], "
	             "[%4];" ::"r"(address(tile)), "l"(map), "r"(x), "r"(y), "r"(address(bar)) : "memory");
}
]]

-- A warp loads tiles of 64 columns, three ahead; a warpgroup multiplies. out = a * transposed b, 64 x 16 per block.
-- EARLY, NO_FENCE and NO_EMPTY are mistakes.
local PIPELINE <const> = HEAD .. [[
enum { STAGES = 3 };
struct Stage {
	alignas(1024) __half a[64][64];
	alignas(1024) __half b[16][64];
};
extern "C" __global__ void __launch_bounds__(160) product(const __grid_constant__ CUtensorMap a,
                                                          const __grid_constant__ CUtensorMap b, float *out, int n, int k)
{
	extern __shared__ __align__(1024) Stage stage[];
	__shared__ alignas(8) unsigned long long full[STAGES], empty[STAGES];
	if (threadIdx.x == 0) {
		for (int s = 0; s < STAGES; s++) {
			init(&full[s], 1);
			init(&empty[s], 4);
		}
		asm volatile("fence.mbarrier_init.release.cluster; fence.proxy.async;" ::: "memory");
	}
	__syncthreads();
	if (threadIdx.x >= 128) {
		if (threadIdx.x != 128) return;
		for (int i = 0; i < k / 64; i++) {
			const int s = i % STAGES;
#ifndef NO_EMPTY
			await(&empty[s], i / STAGES % 2 ^ 1);
#endif
			expect(&full[s], sizeof stage[s].a + sizeof stage[s].b);
			load(stage[s].a, &a, i * 64, blockIdx.y * 64, &full[s]);
			load(stage[s].b, &b, i * 64, blockIdx.x * 16, &full[s]);
		}
		return;
	}
	float d[8] = {};
	for (int i = 0; i < k / 64; i++) {
		const int s = i % STAGES;
		await(&full[s], i / STAGES % 2);
		fence();
		for (int part = 0; part < 4; part++) multiply(d, swizzled(stage[s].a) + 2 * part, swizzled(stage[s].b) + 2 * part);
		commit();
#ifdef EARLY
		if (threadIdx.x % 32 == 0) arrive(&empty[s]);
		wait<0>();
#else
		wait<1>();
		if (i && threadIdx.x % 32 == 0) arrive(&empty[(i - 1) % STAGES]);
#endif
	}
	wait<0>();
	store(out + blockIdx.y * 64 * n + blockIdx.x * 16, n, d);
}
]]

-- Threads store the tiles themselves, in core matrices of 8 rows of 16 bytes.
local STORED <const> = HEAD .. [[
__device__ unsigned long long plain(const void *tile)
{
	return (address(tile) & 0x3ffff) >> 4 | (128ull >> 4) << 16 | (256ull >> 4) << 32;
}
extern "C" __global__ void stored(const __half *a, const __half *b, float *out, int early)
{
	__shared__ alignas(128) __half ta[8][2][8][8], tb[2][2][8][8];
	for (int i = threadIdx.x; i < 64 * 16; i += blockDim.x) ta[i / 128][i % 16 / 8][i / 16 % 8][i % 8] = a[i];
	for (int i = threadIdx.x; i < 16 * 16; i += blockDim.x) tb[i / 128][i % 16 / 8][i / 16 % 8][i % 8] = b[i];
#ifndef NO_FENCE
	asm volatile("fence.proxy.async;" ::: "memory");
#endif
#ifndef NO_BARRIER
	__syncthreads();
#endif
	float d[8] = {};
	if (threadIdx.x / 32 >= WARPS) {
#ifdef BARRIER
		__syncthreads();
#endif
		return;
	}
	fence();
	multiply(d, plain(ta) + START, plain(tb));
	commit();
#ifdef EARLY
	for (int i = 0; i < 8; i++) d[i] += 1;
#endif
	wait<0>();
#ifdef OVERWRITE
	ta[0][0][0][threadIdx.x % 8] = 0;
#endif
	store(out, 16, d);
}
]]

local function numbers(buffer, count, seed)
  local list, x = {}, seed
  for i = 0, count - 1 do
    x = (x * 1103515245 + 12345) & 0x7fffffff
    list[i + 1] = (x >> 16) % 9 - 4
  end
  buffer:upload(list)
  return list
end

local function host_product(a, b, m, n, k)
  local want = {}
  for y = 0, m - 1 do
    for x = 0, n - 1 do
      local sum = 0
      for i = 1, k do sum = sum + a[y * k + i] * b[x * k + i] end
      want[y * n + x] = sum
    end
  end
  return want
end

local function messages(report)
  local said = {}
  for _, issue in ipairs(report.findings) do said[#said + 1] = issue.message end
  return table.concat(said, "\n")
end

local function checked(kernel, config, args)
  local report = device:check(kernel, config, args)
  t.assertEquals(report.status, "ok", report.message)
  t.assertEquals(messages(report), "")
end

TestPipeline = {}

local m <const>, n <const>, k <const> = 128, 32, 512
local left, right = device:buffer("half", m * k), device:buffer("half", n * k)
local a, b = numbers(left, m * k, 1), numbers(right, n * k, 2)
local map_a = device:tensor_map(left, { dims = { k, m }, box = { 64, 64 }, swizzle = "128B" })
local map_b = device:tensor_map(right, { dims = { k, n }, box = { 64, 16 }, swizzle = "128B" })
local config <const> = { grid = { n // 16, m // 64 }, block = 160, shared = 3 * 10240 }

local function pipeline(defines)
  return device:compile_text(PIPELINE, { defines = defines }):kernel "product"
end

function TestPipeline.test_product()
  local out = device:buffer("float", m * n, { fill = 0 })
  local kernel = pipeline()
  checked(kernel, config, { map_a, map_b, out, n, k })
  local got, want = out:download(), host_product(a, b, m, n, k)
  for i = 0, m * n - 1 do t.assertEquals(got[i], want[i]) end
end

function TestPipeline.test_any_order()
  local want = host_product(a, b, m, n, k)
  for seed = 1, 4 do
    local out = device:buffer("float", m * n, { fill = 0 })
    local report = device:check(pipeline(), { grid = config.grid, block = 160, shared = config.shared, schedule = seed },
      { map_a, map_b, out, n, k })
    t.assertEquals(messages(report), "")
    local got = out:download()
    for i = 0, m * n - 1 do t.assertEquals(got[i], want[i]) end
  end
end

-- The stage is given back before the product that reads it is waited for.
function TestPipeline.test_released_early()
  local out = device:buffer("float", m * n, { fill = 0 })
  local report = device:check(pipeline { EARLY = 1 }, config, { map_a, map_b, out, n, k }, "race")
  t.assertStrContains(messages(report), "may still be reading")
end

function TestPipeline.test_counted_and_predicted()
  local out = device:buffer("float", m * n, { fill = 0 })
  local report = device:count(pipeline(), config, { map_a, map_b, out, n, k }, { models = { "H100 SXM" } })
  t.assertEquals(report.counters.shared_load_wavefronts, 0) -- what wgmma reads is no load
  t.assertTrue(report.models["H100 SXM"].ms > 0)
end

-- 16 columns and 64 rows from shared memory take 20 cycles: 80 rows of 32 bytes, 128 bytes per cycle.
function TestPipeline.test_tensor_cores_limit()
  local kernel = device:compile_text(HEAD .. [[
extern "C" __global__ void again(float *out)
{
	__shared__ alignas(1024) __half tile[64][64];
	for (int i = threadIdx.x; i < 64 * 64; i += blockDim.x) tile[i / 64][i % 64] = 1;
	asm volatile("fence.proxy.async;" ::: "memory");
	__syncthreads();
	float d[8] = {};
	fence();
	for (int i = 0; i < 512; i++) {
		for (int k = 0; k < 8; k++) multiply(d, swizzled(tile), swizzled(tile));
		commit();
	}
	wait<0>();
	store(out, 16, d);
}
]]):kernel "again"
  local sums = device:buffer("float", 64 * 16)
  local report = device:count(kernel, { grid = 1, block = 128 }, { sums }, { models = { "H100 SXM" } })
  local predicted = report.models["H100 SXM"]
  t.assertEquals(sums:download()[0], 512 * 8 * 16)
  local cycles = predicted.ms * 1e-3 * 1.98e9
  t.assertAlmostEquals(cycles / (512 * 8 * 20), 1, 0.15)
end

TestStored = {}

local START <const> = { START = 0, WARPS = 4 }
local small_a, small_b = device:buffer("half", 64 * 16), device:buffer("half", 16 * 16)
local x, y = numbers(small_a, 64 * 16, 3), numbers(small_b, 16 * 16, 4)
local out = device:buffer("float", 64 * 16)

local function stored(defines)
  local all = {}
  for _, from in ipairs { START, defines or {} } do for name, value in pairs(from) do all[name] = value end end
  return device:compile_text(STORED, { defines = all }):kernel "stored"
end

function TestStored.test_product()
  checked(stored(), { grid = 1, block = 128 }, { small_a, small_b, out, 0 })
  local got, want = out:download(), host_product(x, y, 64, 16, 16)
  for i = 0, 64 * 16 - 1 do t.assertEquals(got[i], want[i]) end
end

local function found(defines, checker)
  local report = device:check(stored(defines), { grid = 1, block = 128 }, { small_a, small_b, out, 0 }, checker)
  return messages(report)
end

function TestStored.test_without_fence()
  t.assertStrContains(found({ NO_FENCE = 1 }, "race"), "no fence.proxy.async follows the write")
end

function TestStored.test_without_barrier()
  t.assertStrContains(found({ NO_BARRIER = 1 }, "race"), "nothing orders the two")
end

function TestStored.test_sum_used_early()
  t.assertStrContains(found({ EARLY = 1 }, "sync"), "before wgmma.wait_group")
end

function TestStored.test_overwritten_after_the_wait()
  t.assertEquals(found({ OVERWRITE = 1 }, "race"), "")
end

local function fails(defines, block, says)
  t.assertErrorMsgContains(says, function()
    stored(defines) { grid = 1, block = block }(small_a, small_b, out, 0)
  end)
end

function TestStored.test_mistakes()
  fails({ START = 4096 }, 128, "by the descriptor of a")
  fails({ START = "threadIdx.x / 64" }, 128, "differ between the threads")
  fails({ WARPS = 2 }, 128, "of the warpgroup have ended")
  fails({ WARPS = 2, BARRIER = 1 }, 128, "2 of the 4 warps of a warpgroup wait")
  fails({}, 96, "a multiple of 128")
  fails({ WARPS = 5 }, 144, "a multiple of 128")
end

os.exit(t.LuaUnit.run("-o", "tap"))
