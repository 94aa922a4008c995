// One table per block with atomics.
__global__ void histogram(unsigned *out, const unsigned *data)
{
	__shared__ unsigned bins[16];
	if (threadIdx.x < 16)
		bins[threadIdx.x] = 0;
	__syncthreads();
	for (int i = threadIdx.x; i < 2048; i += 64)
		atomicAdd(&bins[data[blockIdx.x * 2048 + i] % 16], 1u);
	__syncthreads();
	if (threadIdx.x < 16)
		out[blockIdx.x * 16 + threadIdx.x] = bins[threadIdx.x];
}
