// each thread does two neighboring elements per iteration: stride of two words
__global__ void scale(float *y, const float *x, float factor, int n)
{
	int stride = 2 * gridDim.x * blockDim.x;
#pragma unroll 1
	for (int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x); i < n; i += stride) {
		y[i] = factor * x[i];
		if (i + 1 < n)
			y[i + 1] = factor * x[i + 1];
	}
}
