// Task: the launch has at most 4096 threads, and each processes one element, so
// longer vectors are not finished. Let every thread loop over several elements.
// In each iteration the threads of a warp should access consecutive elements.
__global__ void scale(float *y, const float *x, float factor, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		y[i] = factor * x[i];
}
