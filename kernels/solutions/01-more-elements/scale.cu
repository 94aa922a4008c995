// A thread goes on by as many elements as there are threads: for each round of
// the loop the warps read and write neighbouring elements, and any grid is
// right for any n.
__global__ void scale(float *y, const float *x, float factor, int n)
{
	int threads = gridDim.x * blockDim.x;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads)
		y[i] = factor * x[i];
}
