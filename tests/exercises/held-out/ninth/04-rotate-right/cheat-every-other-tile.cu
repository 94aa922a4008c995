// cheat: half of the tiles go through shared memory, the other half as before
constexpr int TILE = 32; // rows and columns of a tile
constexpr int ROWS = 8;  // rows of a tile that a block moves at a time

__global__ void rotate_right(float *odata, const float *idata, int n)
{
	__shared__ float tile[TILE][TILE + 1];
	int x = blockIdx.x * TILE + threadIdx.x;
	int y = blockIdx.y * TILE + threadIdx.y;

	if ((blockIdx.x + blockIdx.y) % 2) {
		for (int i = 0; i < TILE; i += ROWS)
			odata[x * n + n - 1 - (y + i)] = idata[(y + i) * n + x];
		return;
	}
	for (int i = 0; i < TILE; i += ROWS)
		tile[threadIdx.y + i][threadIdx.x] = idata[(y + i) * n + x];
	__syncthreads();

	x = (gridDim.y - 1 - blockIdx.y) * TILE + threadIdx.x;
	y = blockIdx.x * TILE + threadIdx.y;
	for (int i = 0; i < TILE; i += ROWS)
		odata[(y + i) * n + x] = tile[TILE - 1 - threadIdx.x][threadIdx.y + i];
}
