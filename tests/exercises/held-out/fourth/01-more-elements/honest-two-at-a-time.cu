// A grid-stride loop unrolled by two.
__global__ void scale(float *__restrict__ y, const float *__restrict__ x, float factor, int n)
{
	const int step = gridDim.x * blockDim.x;
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	for (; i + step < n; i += 2 * step) {
		float first = x[i], second = x[i + step];
		y[i] = factor * first;
		y[i + step] = factor * second;
	}
	if (i < n)
		y[i] = factor * x[i];
}
