// one warp does all
__global__ void scale(float *y, const float *x, float factor, int n)
{
	if (blockIdx.x == 0 && threadIdx.x < 32)
		for (int i = threadIdx.x; i < n; i += 32)
			y[i] = factor * x[i];
}
