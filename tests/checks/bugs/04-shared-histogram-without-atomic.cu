// @kernel histogram
// @block 256
// @buffer bins i32 16 poison
// @buffer in i32 256 i * 7
// @arg bins
// @arg in
__global__ void histogram(int *bins, const int *in)
{
	__shared__ int count[16];
	if (threadIdx.x < 16)
		count[threadIdx.x] = 0;
	__syncthreads();
	count[in[threadIdx.x] % 16]++; // @race
	__syncthreads();
	if (threadIdx.x < 16)
		bins[threadIdx.x] = count[threadIdx.x];
}
