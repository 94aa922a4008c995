// honest: a tile without padding, its columns permuted by an exclusive or
constexpr int TILE = 32, ROWS = 8;

__global__ void rectangle(float *odata, const float *idata, int rows, int columns)
{
	__shared__ float tile[TILE * TILE];
	int x = blockIdx.x * TILE + threadIdx.x;
	for (int i = threadIdx.y; i < TILE; i += ROWS) {
		int y = blockIdx.y * TILE + i;
		if (x >= columns || y >= rows)
			continue;
		tile[i * TILE + (threadIdx.x ^ i)] = idata[x + (size_t)y * columns];
	}
	__syncthreads();
	x = blockIdx.y * TILE + threadIdx.x;
	for (int i = threadIdx.y; i < TILE; i += ROWS) {
		int y = blockIdx.x * TILE + i;
		if (x >= rows || y >= columns)
			continue;
		odata[x + (size_t)y * rows] = tile[threadIdx.x * TILE + (i ^ threadIdx.x)];
	}
}
