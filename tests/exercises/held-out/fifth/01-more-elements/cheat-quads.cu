// A thread does four neighbors one by one: the lanes of a warp are four words apart in each access.
__global__ void scale(float *y, const float *x, float factor, int n)
{
	for (int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x); i < n; i += 4 * gridDim.x * blockDim.x)
#pragma unroll 1
		for (int k = 0; k < 4 && i + k < n; k++)
			y[i + k] = factor * x[i + k];
}
