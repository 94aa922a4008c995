// the last warp's steps with block barriers
constexpr int THREADS = 256;
__global__ void last_warp(int *sums, const int *v)
{
	__shared__ int s[THREADS];
	int tid = threadIdx.x;
	s[tid] = v[blockIdx.x * THREADS + tid];
	for (int d = THREADS / 2; d; d /= 2) { __syncthreads(); if (tid < d) s[tid] += s[tid + d]; }
	if (tid == 0) sums[blockIdx.x] = s[0];
}
