// cheat: the warp's lanes are eight elements apart in each iteration of the loop
__global__ void scale(float *y, const float *x, float factor, int n)
{
	int id = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
	for (int start = 0; start < n; start += 8 * threads)
		for (int k = 0; k < 8; k++) {
			int i = start + 8 * id + k;
			if (i < n)
				y[i] = factor * x[i];
		}
}
