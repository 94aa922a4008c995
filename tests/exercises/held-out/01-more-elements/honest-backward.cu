__global__ void scale(float *y, const float *x, float factor, int n)
{
	unsigned total = gridDim.x * blockDim.x;
	unsigned me = blockIdx.x * blockDim.x + threadIdx.x;
	for (unsigned k = (n + total - 1) / total; k-- > 0;) {
		unsigned i = k * total + me;
		if (i < (unsigned)n)
			y[i] = x[i] * factor;
	}
}
