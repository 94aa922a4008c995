// Summing a vector of ints on a current GPU: a fixed number of blocks per SM,
// several 16-byte loads in flight per thread, and mostly shuffles instead of
// shared memory. v starts at a multiple of 16 bytes; n is any number.
constexpr int THREADS = 512;
constexpr int AHEAD = 4; // loads that a thread issues before it waits

// The sum of the block, in thread 0: each warp by shuffles, then the warps'
// sums by one warp.
__device__ int sum_of_block(int sum)
{
	__shared__ int sums[THREADS / 32];
	for (int d = 16; d > 0; d /= 2)
		sum += __shfl_down_sync(0xffffffff, sum, d);
	if (threadIdx.x % 32 == 0)
		sums[threadIdx.x / 32] = sum;
	__syncthreads();
	if (threadIdx.x >= 32)
		return 0;
	sum = threadIdx.x < THREADS / 32 ? sums[threadIdx.x] : 0;
	for (int d = THREADS / 64; d > 0; d /= 2)
		sum += __shfl_down_sync(0xffffffff, sum, d);
	return sum;
}

__device__ int sum_of_four(int4 q) { return q.x + q.y + q.z + q.w; }

// The sum of one thread: its own int4s of every chunk of AHEAD * THREADS that
// its block reads at a time. What does not fill such a chunk comes last, int4
// by int4, and up to three ints that do not fill an int4.
__device__ int sum_of_thread(const int *v, unsigned n)
{
	const int4 *quads = (const int4 *)v;
	unsigned count = n / 4, chunk = AHEAD * THREADS;
	unsigned i = blockIdx.x * chunk + threadIdx.x;
	int sum = 0;
	for (; i + chunk - THREADS < count; i += gridDim.x * chunk) {
		int4 q[AHEAD];
#pragma unroll
		for (int a = 0; a < AHEAD; a++)
			q[a] = quads[i + a * THREADS];
#pragma unroll
		for (int a = 0; a < AHEAD; a++)
			sum += sum_of_four(q[a]);
	}
	for (int a = 0; a < AHEAD; a++, i += THREADS)
		if (i < count)
			sum += sum_of_four(quads[i]);
	unsigned last = 4 * count + blockIdx.x * THREADS + threadIdx.x;
	return last < n ? sum + v[last] : sum;
}

// One sum per block; launched again with one block on these sums.
__global__ void __launch_bounds__(THREADS)
	wide(int *out, const int *v, unsigned n)
{
	int sum = sum_of_block(sum_of_thread(v, n));
	if (threadIdx.x == 0)
		out[blockIdx.x] = sum;
}

__device__ unsigned blocks_done; // 0 before and after every launch

// One launch: every block stores its sum and increments a counter; the last
// block sums them. The fence orders the sum before the counter.
__global__ void __launch_bounds__(THREADS)
	last_block(int *out, int *sums, const int *v, unsigned n)
{
	__shared__ bool last;
	int sum = sum_of_block(sum_of_thread(v, n));
	if (threadIdx.x == 0) {
		sums[blockIdx.x] = sum;
		__threadfence();
		last = atomicInc(&blocks_done, gridDim.x - 1) == gridDim.x - 1;
	}
	__syncthreads();
	if (!last)
		return;
	__threadfence();
	sum = 0;
	for (unsigned i = threadIdx.x; i < gridDim.x; i += THREADS)
		sum += sums[i];
	sum = sum_of_block(sum);
	if (threadIdx.x == 0)
		*out = sum;
}
