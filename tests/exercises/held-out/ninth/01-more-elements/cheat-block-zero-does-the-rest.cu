// cheat: every thread has one element, and block 0 all that is left
__global__ void scale(float *y, const float *x, float factor, int n)
{
	int id = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
	if (id < n)
		y[id] = factor * x[id];
	if (blockIdx.x == 0)
		for (int i = threads + threadIdx.x; i < n; i += blockDim.x)
			y[i] = factor * x[i];
}
