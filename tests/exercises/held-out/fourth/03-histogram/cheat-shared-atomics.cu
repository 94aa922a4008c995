// One table for the block, with atomics.
__global__ void histogram(unsigned *out, const unsigned *data)
{
	__shared__ unsigned counts[16];
	unsigned tid = threadIdx.x;
	if (tid < 16)
		counts[tid] = 0;
	__syncthreads();
	for (int i = 0; i < 2048; i += 64)
		atomicAdd(&counts[data[blockIdx.x * 2048 + i + tid] % 16], 1u);
	__syncthreads();
	if (tid < 16)
		out[blockIdx.x * 16 + tid] = counts[tid];
}
