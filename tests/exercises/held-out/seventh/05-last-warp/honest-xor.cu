// shuffles, unrolled, all steps in registers
constexpr int THREADS = 256;
__device__ __forceinline__ int warp_sum(int x)
{
#pragma unroll
	for (int d = 1; d <= 16; d += d) x += __shfl_xor_sync(0xffffffffu, x, d);
	return x;
}
__global__ void last_warp(int *sums, const int *v)
{
	__shared__ int s[THREADS];
	unsigned tid = threadIdx.x;
	int sum = s[tid] = v[blockIdx.x * THREADS + tid];
	__syncthreads();
	if (tid < 128) s[tid] = sum += s[tid + 128];
	__syncthreads();
	if (tid < 64) s[tid] = sum += s[tid + 64];
	__syncthreads();
	if (tid < 32) {
		sum = warp_sum(sum + s[tid + 32]);
		if (!tid) sums[blockIdx.x] = sum;
	}
}
