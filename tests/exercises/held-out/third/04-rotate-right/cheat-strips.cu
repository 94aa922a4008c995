// The tile goes out in pieces of four words, not whole rows.
constexpr int TILE = 32; // rows and columns of a tile
constexpr int ROWS = 8;  // rows of a tile that a block moves at a time

__global__ void rotate_right(float *odata, const float *idata, int n)
{
	__shared__ float tile[TILE][TILE + 1];
	int x = blockIdx.x * TILE + threadIdx.x;
	int y = blockIdx.y * TILE + threadIdx.y;

	for (int i = 0; i < TILE; i += ROWS)
		tile[threadIdx.y + i][threadIdx.x] = idata[(y + i) * n + x];
	__syncthreads();

	int t = threadIdx.x;
	for (int i = 0; i < 4; i++) {
		int column = threadIdx.y * 4 + t % 4, row = 8 * i + t / 4;
		odata[(blockIdx.x * TILE + row) * n + (gridDim.y - 1 - blockIdx.y) * TILE + column] = tile[TILE - 1 - column][row];
	}
}
