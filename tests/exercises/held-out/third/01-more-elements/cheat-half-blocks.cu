// Only the lower half of each block works.
__global__ void scale(float *y, const float *x, float factor, int n)
{
	int half = blockDim.x / 2;
	if (threadIdx.x >= half)
		return;
	for (int i = blockIdx.x * half + threadIdx.x; i < n; i += gridDim.x * half)
		y[i] = factor * x[i];
}
