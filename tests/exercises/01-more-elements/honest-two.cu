// Two elements per iteration, both loaded before the first is used.
__global__ void scale(float *y, const float *__restrict__ x, float factor, int n)
{
	int threads = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
	for (; i + threads < n; i += 2 * threads) {
		float a = x[i], b = x[i + threads];
		y[i] = factor * a;
		y[i + threads] = factor * b;
	}
	if (i < n)
		y[i] = factor * x[i];
}
