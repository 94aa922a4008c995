// Shuffles, then one atomic maximum per warp in shared memory.
__global__ void distance(unsigned *out, const unsigned *in)
{
	__shared__ unsigned most;
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (threadIdx.x == 0)
		most = 0;
	unsigned own = in[i], m = own;
	for (int d = 16; d; d /= 2)
		m = max(m, __shfl_down_sync(~0u, m, d));
	__syncthreads();
	if (threadIdx.x % 32 == 0)
		atomicMax(&most, m);
	__syncthreads();
	out[i] = most - own;
}
