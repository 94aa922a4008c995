// Bulk copies, counted by mbarriers: one thread starts the copy of a whole row of
// 512 numbers, and the threads that need it wait for a phase of the row's mbarrier.
// The task is that of async_copies.cu. Needs compute capability 9.0.
#include <cstdint>

constexpr int THREADS = 128, ROW = 512, BYTES = 4 * ROW;

// PTX -----------------------------------------------------------------------

__device__ unsigned shared_address(const void *p)
{
	return (unsigned)__cvta_generic_to_shared(p);
}

__device__ void mbarrier_init(uint64_t *bar, int arrivals)
{
	asm volatile("mbarrier.init.shared.b64 [%0], %1;"
	             :: "r"(shared_address(bar)), "r"(arrivals) : "memory");
}

// Makes initialized mbarriers visible in the cluster; in practice to the copies, too.
__device__ void fence_mbarrier_init()
{
	asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

__device__ void arrive(uint64_t *bar)
{
	asm volatile("mbarrier.arrive.shared.b64 _, [%0];"
	             :: "r"(shared_address(bar)) : "memory");
}

// Arrives, and lets the phase wait for so many bytes in addition.
__device__ void arrive_expect_tx(uint64_t *bar, int bytes)
{
	asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;"
	             :: "r"(shared_address(bar)), "r"(bytes) : "memory");
}

// Returns when the phase of this parity is complete.
__device__ void wait(uint64_t *bar, int parity)
{
	unsigned done;
	do
		asm volatile("{\n\t.reg .pred p;\n\t"
		             "mbarrier.try_wait.parity.shared.b64 p, [%1], %2;\n\t"
		             "selp.u32 %0, 1, 0, p;\n\t}"
		             : "=r"(done) : "r"(shared_address(bar)), "r"(parity)
		             : "memory");
	while (!done);
}

__device__ void bulk_copy(void *to, const void *from, int bytes, uint64_t *bar)
{
	asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
	             " [%0], [%1], %2, [%3];"
	             :: "r"(shared_address(to)), "l"(from), "r"(bytes),
	                "r"(shared_address(bar)) : "memory");
}

// ---------------------------------------------------------------------------

__device__ unsigned variation(const int *row)
{
	unsigned sum = 0;
#pragma unroll
	for (int k = 0; k < ROW; k += THREADS) {
		int i = k + threadIdx.x;
		sum = __sad(row[(i + 1) % ROW], row[i], sum);
	}
	return sum;
}

__device__ void add(unsigned *total, unsigned sum)
{
	for (int d = 16; d > 0; d /= 2)
		sum += __shfl_down_sync(0xffffffff, sum, d);
	if (threadIdx.x % 32 == 0)
		atomicAdd(total, sum);
}

// Starts the copy of row r into a tile, if there is one: one thread calls it.
// expected: the bytes that the phase waits for.
__device__ void start(int *tile, uint64_t *full, const int *rows, int r, int count, int expected)
{
	if (r >= count)
		return;
	arrive_expect_tx(full, expected);
	bulk_copy(tile, rows + (size_t)r * ROW, BYTES, full);
}

// STAGES tiles, each with an mbarrier whose phase ends when it is full. EXPECTED:
// the bytes of a row, unless the step is about another number. FIXED: the parity is
// always that of the first phase.
template <int STAGES, int EXPECTED = BYTES, bool FIXED = false>
__global__ void bulk(unsigned *total, const int *rows, int count)
{
	__shared__ alignas(128) int tiles[STAGES][ROW];
	__shared__ uint64_t full[STAGES];
	if (threadIdx.x == 0) {
		for (int s = 0; s < STAGES; s++)
			mbarrier_init(&full[s], 1);
		fence_mbarrier_init();
		for (int s = 0; s < STAGES - 1; s++)
			start(tiles[s], &full[s], rows, blockIdx.x + s * gridDim.x, count, EXPECTED);
	}
	__syncthreads();
	unsigned sum = 0;
	int k = 0, parity = 0;
#pragma unroll 1
	for (int r = blockIdx.x; r < count; r += gridDim.x) {
		int ahead = (k + STAGES - 1) % STAGES;
		if (threadIdx.x == 0)
			start(tiles[ahead], &full[ahead], rows, r + (STAGES - 1) * gridDim.x, count, EXPECTED);
		wait(&full[k], FIXED ? 0 : parity);
		sum += variation(tiles[k]);
		__syncthreads();
		k = (k + 1) % STAGES;
		parity ^= k == 0;
	}
	add(total, sum);
}

// A fifth warp starts the copies. The others use the tiles and release them: each
// tile has a second mbarrier, whose phase ends when the tile is empty again.
template <int STAGES>
__global__ void specialized(unsigned *total, const int *rows, int count)
{
	__shared__ alignas(128) int tiles[STAGES][ROW];
	__shared__ uint64_t full[STAGES], empty[STAGES];
	if (threadIdx.x == 0) {
		for (int s = 0; s < STAGES; s++) {
			mbarrier_init(&full[s], 1);
			mbarrier_init(&empty[s], THREADS / 32);
		}
		fence_mbarrier_init();
	}
	__syncthreads();
	unsigned sum = 0;
	int k = 0, parity = 0;
	if (threadIdx.x == THREADS) { // the producer
		for (int r = blockIdx.x; r < count; r += gridDim.x) {
			wait(&empty[k], parity ^ 1); // at once the first time
			start(tiles[k], &full[k], rows, r, count, BYTES);
			k = (k + 1) % STAGES;
			parity ^= k == 0;
		}
	} else if (threadIdx.x < THREADS) { // consumers
#pragma unroll 1
		for (int r = blockIdx.x; r < count; r += gridDim.x) {
			wait(&full[k], parity);
			sum += variation(tiles[k]);
			__syncwarp();
			if (threadIdx.x % 32 == 0)
				arrive(&empty[k]);
			k = (k + 1) % STAGES;
			parity ^= k == 0;
		}
	}
	__syncwarp();
	add(total, sum);
}
