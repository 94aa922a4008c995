__global__ void scale(float *y, const float *x, float factor, int n)
{
	int threads = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
	for (; i + 3 * threads < n; i += 4 * threads) {
		float a = x[i], b = x[i + threads], c = x[i + 2 * threads], d = x[i + 3 * threads];
		y[i] = factor * a;
		y[i + threads] = factor * b;
		y[i + 2 * threads] = factor * c;
		y[i + 3 * threads] = factor * d;
	}
	for (; i < n; i += threads)
		y[i] = factor * x[i];
}
