// honest: backwards from the end, with a while loop
__global__ void scale(float *y, const float *x, float factor, int n)
{
	int id = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
	int i = n - threads + id;
	while (i + threads > 0) {
		if (i >= 0)
			y[i] = x[i] * factor;
		i -= threads;
	}
}
