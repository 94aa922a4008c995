// A transposition whose tiles, and rows within a tile, come out from the last
// to the first. The columns of the tile stay 33 words apart, only in the other
// direction.
//
// Blocks of 32 × 8 threads, one for each tile; n is a multiple of 32.
constexpr int TILE = 32; // elements on a side of a tile
constexpr int ROWS = 8;  // rows of a tile that a block covers at a time

__global__ void turn_right(float *odata, const float *idata, int n)
{
	__shared__ float tile[TILE][TILE + 1];
	int x = blockIdx.x * TILE + threadIdx.x;
	int y = blockIdx.y * TILE + threadIdx.y;

	for (int i = 0; i < TILE; i += ROWS)
		tile[threadIdx.y + i][threadIdx.x] = idata[(y + i) * n + x];
	__syncthreads();

	x = (gridDim.y - 1 - blockIdx.y) * TILE + threadIdx.x;
	y = blockIdx.x * TILE + threadIdx.y;
	for (int i = 0; i < TILE; i += ROWS)
		odata[(y + i) * n + x] = tile[TILE - 1 - threadIdx.x][threadIdx.y + i];
}
