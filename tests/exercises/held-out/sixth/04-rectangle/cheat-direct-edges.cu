__global__ void rectangle(float *odata, const float *idata, int rows, int columns)
{
	__shared__ float tile[32][33];
	int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
	if ((blockIdx.x + 1) * 32 > columns || (blockIdx.y + 1) * 32 > rows) {
		for (int i = 0; i < 32; i += 8)
			if (x < columns && y + i < rows)
				odata[x * rows + y + i] = idata[x + (y + i) * columns];
		return;
	}
	for (int i = 0; i < 32; i += 8)
		tile[threadIdx.y + i][threadIdx.x] = idata[x + (y + i) * columns];
	__syncthreads();
	x = blockIdx.y * 32 + threadIdx.x;
	y = blockIdx.x * 32 + threadIdx.y;
	for (int i = 0; i < 32; i += 8)
		odata[x + (y + i) * rows] = tile[threadIdx.x][threadIdx.y + i];
}
