// cheat: no block can disturb another because the first one swaps all pairs of tiles, and all others exit
constexpr int TILE = 32;
constexpr int ROWS = 8;

__global__ void in_place(float *data, int n)
{
	__shared__ float upper[TILE][TILE + 1], lower[TILE][TILE + 1];
	if (blockIdx.x != 0 || blockIdx.y != 0)
		return;
	for (int row = 0; row < n; row += TILE)
		for (int column = row; column < n; column += TILE) {
			for (int i = threadIdx.y; i < TILE; i += ROWS) {
				upper[i][threadIdx.x] = data[(row + i) * n + column + threadIdx.x];
				lower[i][threadIdx.x] = data[(column + i) * n + row + threadIdx.x];
			}
			__syncthreads();
			for (int i = threadIdx.y; i < TILE; i += ROWS) {
				data[(row + i) * n + column + threadIdx.x] = lower[threadIdx.x][i];
				data[(column + i) * n + row + threadIdx.x] = upper[threadIdx.x][i];
			}
			__syncthreads();
		}
}
