// honest: one word per warp in shared memory; every thread takes the maximum of the eight
constexpr int THREADS = 256;
constexpr int WARPS = THREADS / 32;

__device__ unsigned largest_of_warp(unsigned v)
{
	for (int d = 16; d > 0; d >>= 1)
		v = max(v, __shfl_down_sync(0xffffffffu, v, d));
	return v; // lane 0
}

__global__ void distance(unsigned *out, const unsigned *in)
{
	__shared__ unsigned of_warp[WARPS];
	unsigned i = blockIdx.x * THREADS + threadIdx.x;
	unsigned x = in[i], m = largest_of_warp(x);
	if ((threadIdx.x & 31) == 0)
		of_warp[threadIdx.x >> 5] = m;
	__syncthreads();
	m = of_warp[0];
#pragma unroll
	for (int w = 1; w < WARPS; w++)
		m = max(m, of_warp[w]);
	out[i] = m - x;
}
