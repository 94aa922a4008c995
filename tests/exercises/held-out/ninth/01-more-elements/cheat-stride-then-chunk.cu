// cheat: a grid-stride loop for the first half of the vector, chunks for the rest
__global__ void scale(float *y, const float *x, float factor, int n)
{
	int id = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
	int half = n / 2;
	for (int i = id; i < half; i += threads)
		y[i] = factor * x[i];
	int each = (n - half + threads - 1) / threads, first = half + id * each;
	for (int i = first; i < first + each && i < n; i++)
		y[i] = factor * x[i];
}
