// A grid-stride loop: a thread advances by the total number of threads. In each
// iteration a warp accesses consecutive elements, and any grid is correct for
// any n.
__global__ void scale(float *y, const float *x, float factor, int n)
{
	int threads = gridDim.x * blockDim.x;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads)
		y[i] = factor * x[i];
}
