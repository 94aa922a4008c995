// Neighboring threads access every second element.
__global__ void scale(float *y, const float *x, float factor, int n)
{
	int t = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
	for (int base = 0; base < n; base += 2 * all)
		for (int k = 0; k < 2; k++) {
			int i = base + 2 * t + k;
			if (i < n)
				y[i] = factor * x[i];
		}
}
