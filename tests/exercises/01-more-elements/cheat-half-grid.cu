// Every second block works.
__global__ void scale(float *y, const float *x, float factor, int n)
{
	if (blockIdx.x % 2)
		return;
	for (int i = blockIdx.x / 2 * blockDim.x + threadIdx.x; i < n; i += gridDim.x / 2 * blockDim.x)
		y[i] = factor * x[i];
}
