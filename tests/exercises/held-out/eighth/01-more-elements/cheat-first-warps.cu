// cheat: only the first warp of each block loops, the other seven return at once
__global__ void scale(float *y, const float *x, float factor, int n)
{
	if (threadIdx.x >= warpSize)
		return;
	int step = gridDim.x * warpSize;
	for (int i = blockIdx.x * warpSize + threadIdx.x; i < n; i += step)
		y[i] = factor * x[i];
}
