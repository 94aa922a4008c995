// Coalesced loads, and sums by atomics in global memory.
__global__ void eights(unsigned *out, const unsigned *in)
{
	int t = threadIdx.x, first = blockIdx.x * 2048;
	out[blockIdx.x * 256 + t] = 0;
	__syncthreads();
	for (int k = t; k < 2048; k += 256)
		atomicAdd(&out[blockIdx.x * 256 + k / 8], in[first + k]);
}
