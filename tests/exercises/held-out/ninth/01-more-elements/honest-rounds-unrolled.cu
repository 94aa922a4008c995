// honest: a counted loop of rounds, four at a time, with a bounds check in each
__global__ void scale(float *y, const float *x, float factor, int n)
{
	int id = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
	int rounds = (n + threads - 1) / threads;
#pragma unroll 4
	for (int r = 0; r < rounds; r++) {
		int i = r * threads + id;
		if (i >= n)
			continue;
		y[i] = factor * x[i];
	}
}
