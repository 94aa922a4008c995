// 256 bins of bytes: counted in shared memory, then added to the result.
__global__ void histogram(unsigned *bins, const unsigned char *in, int n) {
	__shared__ unsigned mine[256];
	for (int i = threadIdx.x; i < 256; i += blockDim.x) mine[i] = 0;
	__syncthreads();
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&mine[in[i]], 1u);
	__syncthreads();
	for (int i = threadIdx.x; i < 256; i += blockDim.x) atomicAdd(&bins[i], mine[i]);
}
