// @kernel histogram
// @grid 4
// @block 64
// @buffer bins i32 16 0
// @buffer in i32 256 i * 7
// @arg bins
// @arg in
__global__ void histogram(int *bins, const int *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	bins[in[i] % 16] += 1; // @race
}
