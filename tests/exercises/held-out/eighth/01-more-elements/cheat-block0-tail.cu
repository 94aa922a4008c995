// cheat: the starter stays for the first elements, and block 0 alone loops over all the rest
__global__ void scale(float *y, const float *x, float factor, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		y[i] = factor * x[i];
	if (blockIdx.x == 0)
		for (i = gridDim.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x)
			y[i] = factor * x[i];
}
