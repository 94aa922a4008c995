// Task: the launch has 4096 threads for any n, and this kernel leaves all
// elements beyond those unchanged. Let every thread loop over several elements.
// In each iteration the threads of a warp should access consecutive elements.
__global__ void scale(float *y, const float *x, float factor, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		y[i] = factor * x[i];
}
