__global__ void scale(float *y, const float *x, float factor, int n)
{
	int threads = gridDim.x * blockDim.x, full = n / threads;
	if (blockIdx.x < gridDim.x - 1) {
		for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads)
			y[i] = factor * x[i];
		return;
	}
	// one block of sixteen: eight threads wide
	int b = blockIdx.x * blockDim.x;
	for (int k = 0; k <= full; k++) {
		int j = b + k * threads + threadIdx.x % 32 * 8 + threadIdx.x / 32;
		if (j < n)
			y[j] = factor * x[j];
	}
}
