__global__ void scale(float *y, const float *x, float factor, int n)
{
	int i = blockIdx.x * 256 + threadIdx.x;
	for (int k = 0; k < 13; k++)
		if (i + k * 4096 < n)
			y[i + k * 4096] = factor * x[i + k * 4096];
}
