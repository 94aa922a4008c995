// honest: starts from the tile of the result and asks where it comes from
constexpr int TILE = 32, ROWS = 8;

__global__ void rotate_right(float *odata, const float *idata, int n)
{
	__shared__ float tile[TILE][TILE + 1];
	// tile (blockIdx.x, blockIdx.y) of the result; its element (r, c) is in[n - 1 - c][r]
	int source_x = blockIdx.y * TILE + threadIdx.x;
	for (int i = threadIdx.y; i < TILE; i += ROWS) {
		int column = blockIdx.x * TILE + i; // of the result
		tile[i][threadIdx.x] = idata[(n - 1 - column) * n + source_x];
	}
	__syncthreads();
	for (int i = threadIdx.y; i < TILE; i += ROWS) {
		int row = blockIdx.y * TILE + i, column = blockIdx.x * TILE + threadIdx.x;
		odata[row * n + column] = tile[threadIdx.x][i];
	}
}
