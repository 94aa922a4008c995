// only the lower half of each warp works
__global__ void scale(float *y, const float *x, float factor, int n)
{
	int t = blockIdx.x * blockDim.x + threadIdx.x;
	if (t % 32 >= 16)
		return;
	t = t / 32 * 16 + t % 32;
	for (int i = t; i < n; i += gridDim.x * blockDim.x / 2)
		y[i] = factor * x[i];
}
