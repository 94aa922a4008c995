// Loads are clamped to the edge, so only the stores have a condition.
__global__ void rectangle(float *odata, const float *idata, int rows, int columns)
{
	__shared__ float tile[32][33];
	const int x0 = blockIdx.x * 32, y0 = blockIdx.y * 32, tx = threadIdx.x;
	const int x = min(x0 + tx, columns - 1);
#pragma unroll
	for (int i = threadIdx.y; i < 32; i += 8)
		tile[i][tx] = idata[min(y0 + i, rows - 1) * columns + x];
	__syncthreads();
	if (y0 + tx < rows)
		for (int i = threadIdx.y; i < min(32, columns - x0); i += 8)
			odata[(x0 + i) * rows + y0 + tx] = tile[tx][i];
}
