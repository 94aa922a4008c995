// Task: rotate an image clockwise by 90 degrees, reading and writing whole
// rows. This kernel is correct, but its warps write columns.
//
// Blocks of 32 × 8 threads, one per tile; n is a multiple of 32.
constexpr int TILE = 32; // rows and columns of a tile
constexpr int ROWS = 8;  // rows of a tile that a block moves at a time

__global__ void rotate_right(float *odata, const float *idata, int n)
{
	int x = blockIdx.x * TILE + threadIdx.x;
	int y = blockIdx.y * TILE + threadIdx.y;

	for (int i = 0; i < TILE; i += ROWS)
		odata[x * n + n - 1 - (y + i)] = idata[(y + i) * n + x];
}
