// Task: transpose without bank conflicts and without padding. The launch gives
// each block exactly 32 × 32 words, so padding does not fit: find another
// position for each element, the same when it is written and when it is read.
//
// Blocks of 32 × 8 threads; n is a multiple of 32.
constexpr int TILE = 32; // rows and columns of a tile
constexpr int ROWS = 8;  // rows of a tile that a block moves at a time

extern __shared__ float tile[]; // TILE * TILE words

// Where the element in this row and column of the tile is stored.
__device__ int position(int row, int column)
{
	return row * TILE + column;
}

__global__ void transpose(float *odata, const float *idata, int n)
{
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
