// cheat: the conditions are right, but the tile has lost its padding: a 32-way conflict
constexpr int TILE = 32; // rows and columns of a tile
constexpr int ROWS = 8;  // rows of a tile that a block moves at a time

__global__ void rectangle(float *odata, const float *idata, int rows,
	int columns)
{
	__shared__ float tile[TILE][TILE];
	int x = blockIdx.x * TILE + threadIdx.x;
	int y = blockIdx.y * TILE + threadIdx.y;

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
