// Task: turn a picture clockwise by a quarter, with whole rows read and
// written. This kernel does it right, but its warps write columns.
//
// Blocks of 32 × 8 threads, one for each tile; n is a multiple of 32.
constexpr int TILE = 32; // elements on a side of a tile
constexpr int ROWS = 8;  // rows of a tile that a block covers at a time

__global__ void turn_right(float *odata, const float *idata, int n)
{
	int x = blockIdx.x * TILE + threadIdx.x;
	int y = blockIdx.y * TILE + threadIdx.y;

	for (int i = 0; i < TILE; i += ROWS)
		odata[x * n + n - 1 - (y + i)] = idata[(y + i) * n + x];
}
