// Only the first warp of each block works.
__global__ void scale(float *y, const float *x, float factor, int n)
{
	if (threadIdx.x < 32)
		for (int i = blockIdx.x * 32 + threadIdx.x; i < n; i += gridDim.x * 32)
			y[i] = factor * x[i];
}
