// Neighboring blocks both do each element: the grid counts for half.
__global__ void scale(float *y, const float *x, float factor, int n)
{
	int pairs = (gridDim.x + 1) / 2 * blockDim.x;
	for (int i = blockIdx.x / 2 * blockDim.x + threadIdx.x; i < n; i += pairs)
		y[i] = factor * x[i];
}
