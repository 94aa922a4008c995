__global__ void rectangle(float *odata, const float *idata, int rows, int columns)
{
	__shared__ float tile[32][32];
	int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
	for (int i = 0; i < 32; i += 8)
		if (x < columns && y + i < rows)
			tile[threadIdx.y + i][threadIdx.x + threadIdx.y & 31] = idata[x + (y + i) * columns];
	__syncthreads();
	x = blockIdx.y * 32 + threadIdx.x;
	y = blockIdx.x * 32 + threadIdx.y;
	for (int i = 0; i < 32; i += 8)
		if (x < rows && y + i < columns)
			odata[x + (y + i) * rows] = tile[threadIdx.x][threadIdx.y + i + (threadIdx.x & 7) & 31];
}
