// When one block needs the results of all others: the sum of all blocks' sums.
// Ints, so that the order of additions does not matter.
constexpr int THREADS = 256; // per block

// The sum of the block's values, in thread 0.
__device__ int sum_of_block(int value)
{
	__shared__ int words[THREADS];
	int tid = threadIdx.x;
	__syncthreads();
	words[tid] = value;
	for (int d = THREADS / 2; d > 0; d /= 2) {
		__syncthreads();
		if (tid < d)
			words[tid] += words[tid + d];
	}
	return words[0];
}

// The thread's share of the sum of n elements, in a grid-stride loop.
__device__ int sum_of_thread(const int *v, int n)
{
	int sum = 0;
	for (int i = blockIdx.x * THREADS + threadIdx.x; i < n;
			i += gridDim.x * THREADS)
		sum += v[i];
	return sum;
}

// One sum per block; a second launch with one block adds these.
__global__ void sum(int *sums, const int *v, int n)
{
	int own = sum_of_block(sum_of_thread(v, n));
	if (threadIdx.x == 0)
		sums[blockIdx.x] = own;
}

// The last block to store its sum adds all sums.
template <bool FENCED>
__global__ void sum_by_last(int *total, int *sums, unsigned *count,
	const int *v, int n)
{
	__shared__ bool is_last;
	int own = sum_of_block(sum_of_thread(v, n));
	if (threadIdx.x == 0) {
		sums[blockIdx.x] = own;
		if (FENCED)
			__threadfence();
		is_last = atomicInc(count, gridDim.x - 1) == gridDim.x - 1;
	}
	__syncthreads();
	if (is_last) {
		int all = 0;
		for (int b = threadIdx.x; b < gridDim.x; b += THREADS)
			all += sums[b];
		all = sum_of_block(all);
		if (threadIdx.x == 0)
			*total = all;
	}
}

// Each block adds its sum to the total.
__global__ void sum_by_atomics(int *total, const int *v, int n)
{
	int own = sum_of_block(sum_of_thread(v, n));
	if (threadIdx.x == 0)
		atomicAdd(total, own);
}
