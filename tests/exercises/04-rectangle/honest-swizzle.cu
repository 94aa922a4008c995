// No padding: the column is rotated by the row.
__global__ void rectangle(float *odata, const float *idata, int rows, int columns)
{
	__shared__ float tile[32][32];
	int tx = threadIdx.x, ty = threadIdx.y, x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;
	for (int i = ty; i < 32; i += 8)
		if (x0 + tx < columns && y0 + i < rows)
			tile[i][(tx + i) % 32] = idata[(y0 + i) * columns + x0 + tx];
	__syncthreads();
	for (int i = ty; i < 32; i += 8)
		if (y0 + tx < rows && x0 + i < columns)
			odata[(x0 + i) * rows + y0 + tx] = tile[tx][(tx + i) % 32];
}
