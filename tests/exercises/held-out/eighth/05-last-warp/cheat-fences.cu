// cheat: a fence after each step makes the stores visible but does not make any thread wait
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
#pragma unroll
		for (int d = 32; d > 0; d /= 2) {
			s[tid] = sum = sum + s[tid + d];
			__threadfence_block();
		}
	}
	if (tid == 0)
		sums[blockIdx.x] = s[0];
}
