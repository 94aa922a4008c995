__global__ void scale(float *y, const float *x, float factor, int n)
{
	const float *end = x + n;
	int first = threadIdx.x + blockIdx.x * blockDim.x, step = blockDim.x * gridDim.x;
	x += first;
	y += first;
	while (x < end) {
		*y = *x * factor;
		x += step;
		y += step;
	}
}
