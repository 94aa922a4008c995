// the last warp adds atomically into one word
constexpr int THREADS = 256;
__global__ void last_warp(int *sums, const int *v)
{
	__shared__ int s[THREADS]; __shared__ int total;
	int tid = threadIdx.x;
	s[tid] = v[blockIdx.x * THREADS + tid];
	if (tid == 0) total = 0;
	for (int d = THREADS / 2; d > 32; d /= 2) { __syncthreads(); if (tid < d) s[tid] += s[tid + d]; }
	__syncthreads();
	if (tid < 32) { atomicAdd(&total, s[tid] + s[tid + 32]); __syncwarp(); if (tid == 0) sums[blockIdx.x] = total; }
}
