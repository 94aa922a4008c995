// read, wait, write, wait, with conditions only for lanes that matter
constexpr int THREADS = 256;
__global__ void last_warp(int *sums, const int *v)
{
	__shared__ int s[THREADS];
	int tid = threadIdx.x;
	s[tid] = v[blockIdx.x * THREADS + tid];
	for (int d = THREADS / 2; d > 32; d >>= 1) { __syncthreads(); if (tid < d) s[tid] += s[tid + d]; }
	__syncthreads();
	if (tid < 32)
		for (int d = 32; d; d >>= 1) {
			if (tid < d) s[tid] += s[tid + d];
			__syncwarp();
		}
	if (tid == 0) sums[blockIdx.x] = *s;
}
