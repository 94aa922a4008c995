// Threads of a block that wait for each other, and what goes wrong without it.
constexpr int THREADS = 256; // per block

// Reverses the block's elements through shared memory: a thread reads what
// another thread wrote.
__global__ void reversed(int *out, const int *in)
{
	__shared__ int words[THREADS];
	int tid = threadIdx.x, first = blockIdx.x * THREADS;
	words[tid] = in[first + tid];
	__syncthreads();
	out[first + tid] = words[THREADS - 1 - tid];
}

// The same without a barrier.
__global__ void reversed_no_barrier(int *out, const int *in)
{
	__shared__ int words[THREADS];
	int tid = threadIdx.x, first = blockIdx.x * THREADS;
	words[tid] = in[first + tid];
	out[first + tid] = words[THREADS - 1 - tid];
}

// A barrier that only some threads of each warp reach.
__global__ void conditional(int *out, const int *in)
{
	__shared__ int words[THREADS];
	int tid = threadIdx.x, first = blockIdx.x * THREADS;
	words[tid] = in[first + tid];
	if (words[tid] % 2) {
		words[tid]++;
		__syncthreads();
	}
	out[first + tid] = words[THREADS - 1 - tid];
}

// The condition covers only the work; the barrier is for all threads.
__global__ void unconditional(int *out, const int *in)
{
	__shared__ int words[THREADS];
	int tid = threadIdx.x, first = blockIdx.x * THREADS;
	words[tid] = in[first + tid];
	if (words[tid] % 2)
		words[tid]++;
	__syncthreads();
	out[first + tid] = words[THREADS - 1 - tid];
}

// What barriers cost: one after each FMA, or none.
template <bool WAITS>
__global__ void fma_loop(float *out, float a, float b, int repeats)
{
	float x = threadIdx.x % 32;
#pragma unroll 8
	for (int k = 0; k < repeats; k++) {
		x = x * a + b;
		if (WAITS)
			__syncthreads();
	}
	out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

// How many of the block's elements are above the limit; whether all are;
// whether any is. Here with a counter in shared memory.
__global__ void count_by_hand(int *out, const int *in, int limit)
{
	__shared__ int count;
	int tid = threadIdx.x;
	if (tid == 0)
		count = 0;
	__syncthreads();
	if (in[blockIdx.x * THREADS + tid] > limit)
		atomicAdd(&count, 1);
	__syncthreads();
	if (tid == 0) {
		out[3 * blockIdx.x] = count;
		out[3 * blockIdx.x + 1] = count == THREADS;
		out[3 * blockIdx.x + 2] = count > 0;
	}
}

// The barrier counts, and returns the result to every thread.
__global__ void count_by_barrier(int *out, const int *in, int limit)
{
	int above = in[blockIdx.x * THREADS + threadIdx.x] > limit;
	int count = __syncthreads_count(above);
	int all = __syncthreads_and(above);
	int any = __syncthreads_or(above);
	if (threadIdx.x == 0) {
		out[3 * blockIdx.x] = count;
		out[3 * blockIdx.x + 1] = all != 0;
		out[3 * blockIdx.x + 2] = any != 0;
	}
}

// The block's first warp passes a result to the second and sets a flag. Both
// are in shared memory; the second warp polls the flag until it is set.
template <bool FENCED>
__global__ void passed_on(int *out, const int *in)
{
	__shared__ int words[32];
	__shared__ volatile int ready;
	int lane = threadIdx.x % 32, first = blockIdx.x * 32;
	if (threadIdx.x == 0)
		ready = 0;
	__syncthreads();
	if (threadIdx.x < 32) {
		words[lane] = in[first + lane];
		__syncwarp();
		if (FENCED)
			__threadfence_block();
		if (lane == 0)
			ready = 1;
	} else {
		while (!ready)
			;
		if (FENCED)
			__threadfence_block();
		out[first + lane] = words[31 - lane];
	}
}
