// Task: transpose a matrix in place. A block here writes to elements that
// another block may not have read yet. Let one block swap both tiles.
//
// Blocks of 32 × 8 threads, one per tile; n is a multiple of 32.
constexpr int TILE = 32; // rows and columns of a tile
constexpr int ROWS = 8;  // rows of a tile that a block moves at a time

__global__ void in_place(float *data, int n)
{
	__shared__ float tile[TILE][TILE + 1];
	int x = blockIdx.x * TILE + threadIdx.x;
	int y = blockIdx.y * TILE + threadIdx.y;

	for (int i = 0; i < TILE; i += ROWS)
		tile[threadIdx.y + i][threadIdx.x] = data[x + (y + i) * n];
	__syncthreads();

	x = blockIdx.y * TILE + threadIdx.x;
	y = blockIdx.x * TILE + threadIdx.y;
	for (int i = 0; i < TILE; i += ROWS)
		data[x + (y + i) * n] = tile[threadIdx.x][threadIdx.y + i];
}
