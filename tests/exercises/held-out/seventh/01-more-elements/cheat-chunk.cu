// every thread takes a contiguous chunk: a warp's accesses are far apart
__global__ void scale(float *y, const float *x, float factor, int n)
{
	int threads = gridDim.x * blockDim.x, each = (n + threads - 1) / threads;
	int i = (blockIdx.x * blockDim.x + threadIdx.x) * each;
	for (int end = min(n, i + each); i < end; i++)
		y[i] = factor * x[i];
}
