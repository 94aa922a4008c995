// cheat: every block scales the whole vector: the grid only repeats the work
__global__ void scale(float *y, const float *x, float factor, int n)
{
	for (int i = threadIdx.x; i < n; i += blockDim.x)
		y[i] = factor * x[i];
}
