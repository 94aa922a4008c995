__global__ void scale(float *y, const float *x, float factor, int n)
{
	unsigned long long i = threadIdx.x + (unsigned long long)blockDim.x * blockIdx.x;
	if (i >= n)
		return;
	do {
		y[i] = x[i] * factor;
		i += (unsigned long long)gridDim.x * blockDim.x;
	} while (i < n);
}
