// @kernel histogram
// @grid 4
// @block 128
// @buffer bins i32 16 0
// @buffer in u8 2048 i * 7 % 256
// @arg bins
// @arg in
// @arg i32 2048
// @expect bins 128
__global__ void histogram(int *bins, const unsigned char *in, int n)
{
	__shared__ int count[16];
	if (threadIdx.x < 16)
		count[threadIdx.x] = 0;
	__syncthreads();
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		atomicAdd(&count[in[i] % 16], 1);
	__syncthreads();
	if (threadIdx.x < 16)
		atomicAdd(&bins[threadIdx.x], count[threadIdx.x]);
}
