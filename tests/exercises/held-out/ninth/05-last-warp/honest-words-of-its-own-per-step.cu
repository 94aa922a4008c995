// honest: each step writes to 32 other words, so no word is written that another thread reads in that step
constexpr int THREADS = 256;

__global__ void last_warp(int *sums, const int *v)
{
	__shared__ int s[THREADS];
	int tid = threadIdx.x;

	s[tid] = v[blockIdx.x * THREADS + tid];
	for (int d = THREADS / 2; d > 32; d /= 2) {
		__syncthreads();
		if (tid < d)
			s[tid] += s[tid + d];
	}
	__syncthreads();
	if (tid >= 32)
		return;
	int to = 64;
	s[to + tid] = s[tid] + s[tid + 32];
	for (int d = 16; d > 0; d /= 2) {
		__syncwarp();
		s[to + 32 + tid] = s[to + tid] + s[to + (tid ^ d)];
		to += 32;
	}
	if (tid == 0)
		sums[blockIdx.x] = s[to];
}
