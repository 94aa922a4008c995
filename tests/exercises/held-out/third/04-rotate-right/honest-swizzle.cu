// A swizzled tile without padding.
constexpr int TILE = 32; // rows and columns of a tile
constexpr int ROWS = 8;  // rows of a tile that a block moves at a time

__global__ void rotate_right(float *odata, const float *idata, int n)
{
	__shared__ float tile[TILE][TILE];
	int x = blockIdx.x * TILE + threadIdx.x;
	int y = blockIdx.y * TILE + threadIdx.y;

	for (int i = 0; i < TILE; i += ROWS)
		tile[threadIdx.y + i][(threadIdx.x + threadIdx.y + i) % TILE] = idata[(y + i) * n + x];
	__syncthreads();

	x = (gridDim.y - 1 - blockIdx.y) * TILE + threadIdx.x;
	y = blockIdx.x * TILE + threadIdx.y;
	for (int i = 0; i < TILE; i += ROWS)
		odata[(y + i) * n + x] = tile[TILE - 1 - threadIdx.x][(TILE - 1 - threadIdx.x + threadIdx.y + i) % TILE];
}
