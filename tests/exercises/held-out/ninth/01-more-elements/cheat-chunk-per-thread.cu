// cheat: each thread has a contiguous chunk: a warp's accesses are far apart
__global__ void scale(float *y, const float *x, float factor, int n)
{
	int id = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
	int each = (n + threads - 1) / threads;
	for (int i = id * each; i < (id + 1) * each && i < n; i++)
		y[i] = factor * x[i];
}
