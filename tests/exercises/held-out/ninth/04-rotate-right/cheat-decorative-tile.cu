// cheat: the image goes through a tile, but each thread takes back its own word, and writes columns
constexpr int TILE = 32; // rows and columns of a tile
constexpr int ROWS = 8;  // rows of a tile that a block moves at a time

__global__ void rotate_right(float *odata, const float *idata, int n)
{
	int x = blockIdx.x * TILE + threadIdx.x;
	int y = blockIdx.y * TILE + threadIdx.y;

	__shared__ float tile[TILE][TILE + 1];
	for (int i = 0; i < TILE; i += ROWS)
		tile[threadIdx.y + i][threadIdx.x] = idata[(y + i) * n + x];
	__syncthreads();
	for (int i = 0; i < TILE; i += ROWS)
		odata[x * n + n - 1 - (y + i)] = tile[threadIdx.y + i][threadIdx.x];
}
