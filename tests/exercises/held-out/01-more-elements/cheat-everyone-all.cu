// Every block does all elements.
__global__ void scale(float *y, const float *x, float factor, int n)
{
	for (int i = threadIdx.x; i < n; i += blockDim.x) {
		float v = factor * x[i];
		if (i / blockDim.x % gridDim.x == blockIdx.x)
			y[i] = v;
	}
}
