// The first seven eighths by a grid-stride loop, the rest in a contiguous chunk per thread.
__global__ void scale(float *y, const float *x, float factor, int n)
{
	int id = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
	int good = n / 8 * 7;
	for (int i = id; i < good; i += all)
		y[i] = factor * x[i];
	int each = (n - good + all - 1) / all;
	int from = good + id * each;
	for (int i = from; i < min(from + each, n); i++)
		y[i] = factor * x[i];
}
