// Correct for any shape, with 32-way bank conflicts.
__global__ void rectangle(float *odata, const float *idata, int rows, int columns)
{
	__shared__ float tile[32][32];
	int x0 = blockIdx.x * 32, y0 = blockIdx.y * 32, tx = threadIdx.x, ty = threadIdx.y;
	for (int i = ty; i < 32; i += 8)
		if (x0 + tx < columns && y0 + i < rows)
			tile[i][tx] = idata[(y0 + i) * columns + x0 + tx];
	__syncthreads();
	for (int i = ty; i < 32; i += 8)
		if (x0 + i < columns && y0 + tx < rows)
			odata[(x0 + i) * rows + y0 + tx] = tile[tx][i];
}
