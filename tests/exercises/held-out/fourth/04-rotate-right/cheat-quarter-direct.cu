// Three quarters of each tile through shared memory, the last eight rows directly.
__global__ void rotate_right(float *odata, const float *idata, int n)
{
	__shared__ float tile[32][33];
	int x = blockIdx.x * 32, y = blockIdx.y * 32, tx = threadIdx.x, ty = threadIdx.y;
	for (int i = ty; i < 24; i += 8)
		tile[i][tx] = idata[(y + i) * n + x + tx];
	odata[(x + tx) * n + n - 1 - (y + 24 + ty)] = idata[(y + 24 + ty) * n + x + tx];
	__syncthreads();
	for (int i = ty; i < 32; i += 8)
		if (tx >= 8)
			odata[(x + i) * n + n - 32 - y + tx] = tile[31 - tx][i];
}
