// Task: the last warp sums 64 words without barriers, as if its threads
// executed in lockstep. From compute capability 7.0 on they do not have to.
// Make it correct without another barrier for the block.
//
// Blocks of 256 threads, one element per thread; one sum per block.
constexpr int THREADS = 256;

__global__ void last_warp(int *sums, const int *v)
{
	__shared__ int words[THREADS];
	volatile int *s = words;
	int tid = threadIdx.x;

	s[tid] = v[blockIdx.x * THREADS + tid];
	for (int d = THREADS / 2; d > 32; d /= 2) {
		__syncthreads();
		if (tid < d)
			s[tid] += s[tid + d];
	}
	__syncthreads();
	if (tid < 32) {
		int sum = s[tid];
		s[tid] = sum = sum + s[tid + 32];
		s[tid] = sum = sum + s[tid + 16];
		s[tid] = sum = sum + s[tid + 8];
		s[tid] = sum = sum + s[tid + 4];
		s[tid] = sum = sum + s[tid + 2];
		s[tid] = sum = sum + s[tid + 1];
	}
	if (tid == 0)
		sums[blockIdx.x] = s[0];
}
