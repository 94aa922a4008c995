// honest: butterfly in each warp, then one shared atomicMax per warp
constexpr int THREADS = 256;

__global__ void distance(unsigned *out, const unsigned *in)
{
	__shared__ unsigned most;
	const int i = blockIdx.x * THREADS + threadIdx.x;
	const unsigned own = in[i];
	if (threadIdx.x == 0)
		most = 0;
	__syncthreads();
	unsigned m = own;
#pragma unroll
	for (int d = 1; d < 32; d <<= 1)
		m = max(m, __shfl_xor_sync(0xffffffffu, m, d));
	if (threadIdx.x % 32 == 0)
		atomicMax(&most, m);
	__syncthreads();
	out[i] = most - own;
}
