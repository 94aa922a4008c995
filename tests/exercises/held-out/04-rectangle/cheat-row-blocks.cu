// Tiles of 32 × 8: stores of eight neighboring elements.
__global__ void rectangle(float *odata, const float *idata, int rows, int columns)
{
	__shared__ float tile[8][33];
	for (int i = 0; i < 32; i += 8) {
		int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + i + threadIdx.y;
		__syncthreads();
		if (x < columns && y < rows)
			tile[threadIdx.y][threadIdx.x] = idata[y * columns + x];
		__syncthreads();
		int t = threadIdx.y * 32 + threadIdx.x, ox = blockIdx.y * 32 + i + t % 8, oy = blockIdx.x * 32 + t / 8;
		if (ox < rows && oy < columns)
			odata[oy * rows + ox] = tile[t % 8][t / 8];
	}
}
