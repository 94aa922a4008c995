// Each block has a contiguous piece, in steps of the block.
__global__ void scale(float *y, const float *x, float factor, int n)
{
	int each = (n + gridDim.x - 1) / gridDim.x;
	int first = blockIdx.x * each, end = min(n, first + each);
	for (int i = first + threadIdx.x; i < end; i += blockDim.x)
		y[i] = factor * x[i];
}
