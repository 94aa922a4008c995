__global__ void scale(float *y, const float *x, float factor, int n)
{
	for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += 4096)
		y[i] = factor * x[i];
}
