// Whole tiles through shared memory, those at the edge directly.
__global__ void rectangle(float *odata, const float *idata, int rows, int columns)
{
	__shared__ float tile[32][33];
	int x0 = blockIdx.x * 32, y0 = blockIdx.y * 32, tx = threadIdx.x, ty = threadIdx.y;
	if (x0 + 32 > columns || y0 + 32 > rows) {
		for (int i = ty; i < 32; i += 8)
			if (x0 + tx < columns && y0 + i < rows)
				odata[(x0 + tx) * rows + y0 + i] = idata[(y0 + i) * columns + x0 + tx];
		return;
	}
	for (int i = ty; i < 32; i += 8)
		tile[i][tx] = idata[(y0 + i) * columns + x0 + tx];
	__syncthreads();
	for (int i = ty; i < 32; i += 8)
		odata[(x0 + i) * rows + y0 + tx] = tile[tx][i];
}
