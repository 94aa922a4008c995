// From the end to the beginning, two elements per iteration.
__global__ void scale(float *__restrict__ y, const float *__restrict__ x, float factor, int n)
{
	int threads = gridDim.x * blockDim.x;
	int i = n - 1 - (blockIdx.x * blockDim.x + threadIdx.x);
	for (; i - threads >= 0; i -= 2 * threads) {
		float a = x[i], b = x[i - threads];
		y[i] = a * factor;
		y[i - threads] = b * factor;
	}
	if (i >= 0)
		y[i] = x[i] * factor;
}
