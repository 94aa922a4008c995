// cheat: each thread takes two neighbors one after the other, so in no iteration does a warp access consecutive elements
__global__ void scale(float *y, const float *x, float factor, int n)
{
	int threads = gridDim.x * blockDim.x;
	for (int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x); i < n; i += 2 * threads) {
		y[i] = factor * x[i];
		if (i + 1 < n)
			y[i + 1] = factor * x[i + 1];
	}
}
