// PTX barrier instructions for the warp instead of __syncwarp
constexpr int THREADS = 256;
__global__ void last_warp(int *sums, const int *v)
{
	__shared__ int words[THREADS];
	volatile int *s = words;
	int tid = threadIdx.x;
	s[tid] = v[blockIdx.x * THREADS + tid];
	for (int d = THREADS / 2; d > 32; d /= 2) { __syncthreads(); if (tid < d) s[tid] += s[tid + d]; }
	__syncthreads();
	if (tid < 32) {
		int sum = s[tid];
		for (int d = 32; d; d /= 2) {
			sum += s[tid + d];
			asm volatile("bar.sync 1, 32;" ::: "memory");
			s[tid] = sum;
			asm volatile("bar.sync 1, 32;" ::: "memory");
		}
	}
	if (tid == 0) sums[blockIdx.x] = s[0];
}
