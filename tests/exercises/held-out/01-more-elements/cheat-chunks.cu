// Each thread has consecutive elements of its own.
__global__ void scale(float *y, const float *x, float factor, int n)
{
	int threads = gridDim.x * blockDim.x, each = (n + threads - 1) / threads;
	int first = (blockIdx.x * blockDim.x + threadIdx.x) * each;
	for (int i = first; i < first + each && i < n; i++)
		y[i] = factor * x[i];
}
