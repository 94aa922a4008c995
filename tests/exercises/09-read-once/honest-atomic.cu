// One shared atomic per warp.
__global__ void distance(unsigned *out, const unsigned *in)
{
	__shared__ unsigned most;
	unsigned i = blockIdx.x * 256 + threadIdx.x, word = in[i];
	if (threadIdx.x == 0)
		most = 0;
	__syncthreads();
	unsigned warp = __reduce_max_sync(0xffffffff, word);
	if (threadIdx.x % 32 == 0)
		atomicMax(&most, warp);
	__syncthreads();
	out[i] = most - word;
}
