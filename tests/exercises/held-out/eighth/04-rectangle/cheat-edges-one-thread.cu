// cheat: the blocks at the edges leave their tile to a single thread
constexpr int TILE = 32, ROWS = 8;

__global__ void rectangle(float *odata, const float *idata, int rows, int columns)
{
	__shared__ float tile[TILE][TILE + 1];
	int left = blockIdx.x * TILE, top = blockIdx.y * TILE;
	if (left + TILE <= columns && top + TILE <= rows) {
		for (int i = threadIdx.y; i < TILE; i += ROWS)
			tile[i][threadIdx.x] = idata[left + threadIdx.x + (top + i) * columns];
		__syncthreads();
		for (int i = threadIdx.y; i < TILE; i += ROWS)
			odata[top + threadIdx.x + (left + i) * rows] = tile[threadIdx.x][i];
	} else if (threadIdx.x == 0 && threadIdx.y == 0) {
		for (int y = top; y < rows && y < top + TILE; y++)
			for (int x = left; x < columns && x < left + TILE; x++)
				odata[x * rows + y] = idata[y * columns + x];
	}
}
