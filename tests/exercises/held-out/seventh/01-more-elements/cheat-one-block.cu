// only block 0 loops over the rest, other blocks do just their first element
__global__ void scale(float *y, const float *x, float factor, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int all = gridDim.x * blockDim.x;
	if (i < n)
		y[i] = factor * x[i];
	if (blockIdx.x == 0)
		for (int k = all + threadIdx.x; k < n; k += blockDim.x)
			y[k] = factor * x[k];
}
