// honest: each block has a contiguous range and strides through it
__global__ void scale(float *y, const float *x, float factor, int n)
{
	int each = (n + gridDim.x - 1) / gridDim.x;
	int first = blockIdx.x * each, end = min(n, first + each);
	for (int i = first + (int)threadIdx.x; i < end; i += blockDim.x)
		y[i] = factor * x[i];
}
