// Only even lanes work, each for its own element and its idle neighbor's.
__global__ void scale(float *y, const float *x, float factor, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		if (threadIdx.x % 2 == 0) {
			y[i] = factor * x[i];
			if (i + 1 < n)
				y[i + 1] = factor * x[i + 1];
		}
}
