// each block a contiguous range, its threads side by side
__global__ void scale(float *y, const float *x, float factor, int n)
{
	int per_block = (n + gridDim.x - 1) / gridDim.x;
	per_block = (per_block + 31) / 32 * 32;
	int first = blockIdx.x * per_block, end = min(n, first + per_block);
	for (int i = first + threadIdx.x; i < end; i += blockDim.x)
		y[i] = factor * x[i];
}
