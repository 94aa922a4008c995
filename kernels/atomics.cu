// A histogram of numbers from 0 to 63 in BINS bins. Many threads add to the same
// word; nothing is lost, because read, add and write are one operation.
constexpr int THREADS = 256; // per block
constexpr int RANGE = 64;    // of the numbers

// Grid-stride loop over n numbers; every addition goes to global memory.
template <int BINS>
__global__ void count_global(unsigned *bins, const unsigned *numbers, int n)
{
	for (int i = blockIdx.x * THREADS + threadIdx.x; i < n;
			i += gridDim.x * THREADS)
		atomicAdd(&bins[numbers[i] * BINS / RANGE], 1);
}

// Each block counts into its own bins in shared memory, and adds them to the
// global bins at the end.
template <int BINS>
__global__ void count_shared(unsigned *bins, const unsigned *numbers, int n)
{
	__shared__ unsigned own[BINS];
	for (int b = threadIdx.x; b < BINS; b += THREADS)
		own[b] = 0;
	__syncthreads();
	for (int i = blockIdx.x * THREADS + threadIdx.x; i < n;
			i += gridDim.x * THREADS)
		atomicAdd(&own[numbers[i] * BINS / RANGE], 1);
	__syncthreads();
	for (int b = threadIdx.x; b < BINS; b += THREADS)
		atomicAdd(&bins[b], own[b]);
}

// Without atomics: read, add, write.
template <int BINS>
__global__ void count_nonatomic(unsigned *bins, const unsigned *numbers, int n)
{
	for (int i = blockIdx.x * THREADS + threadIdx.x; i < n;
			i += gridDim.x * THREADS)
		bins[numbers[i] * BINS / RANGE]++;
}
