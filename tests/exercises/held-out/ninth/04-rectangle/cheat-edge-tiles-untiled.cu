// cheat: whole tiles go through shared memory, those at the edges are written column by column
constexpr int TILE = 32; // rows and columns of a tile
constexpr int ROWS = 8;  // rows of a tile that a block moves at a time

__global__ void rectangle(float *odata, const float *idata, int rows,
	int columns)
{
	__shared__ float tile[TILE][TILE + 1];
	int x = blockIdx.x * TILE + threadIdx.x;
	int y = blockIdx.y * TILE + threadIdx.y;

	if ((blockIdx.x + 1) * TILE > columns || (blockIdx.y + 1) * TILE > rows) {
		for (int i = 0; i < TILE; i += ROWS)
			if (x < columns && y + i < rows)
				odata[x * rows + y + i] = idata[x + (y + i) * columns];
		return;
	}
	for (int i = 0; i < TILE; i += ROWS)
		if (x < columns && y + i < rows)
			tile[threadIdx.y + i][threadIdx.x] = idata[x + (y + i) * columns];
	__syncthreads();

	x = blockIdx.y * TILE + threadIdx.x;
	y = blockIdx.x * TILE + threadIdx.y;
	for (int i = 0; i < TILE; i += ROWS)
		if (x < rows && y + i < columns)
			odata[x + (y + i) * rows] = tile[threadIdx.x][threadIdx.y + i];
}
