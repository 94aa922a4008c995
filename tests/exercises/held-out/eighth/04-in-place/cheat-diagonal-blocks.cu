// cheat: only the blocks of the diagonal work, each swaps a whole row of tiles one pair after the other
constexpr int TILE = 32, ROWS = 8;

__global__ void in_place(float *data, int n)
{
	__shared__ float upper[TILE][TILE + 1], lower[TILE][TILE + 1];
	if (blockIdx.x != blockIdx.y)
		return;
	int top = blockIdx.y * TILE, tx = threadIdx.x;
	for (int left = top; left < n; left += TILE) {
		for (int i = threadIdx.y; i < TILE; i += ROWS) {
			upper[i][tx] = data[(top + i) * n + left + tx];
			lower[i][tx] = data[(left + i) * n + top + tx];
		}
		__syncthreads();
		for (int i = threadIdx.y; i < TILE; i += ROWS) {
			data[(top + i) * n + left + tx] = lower[tx][i];
			data[(left + i) * n + top + tx] = upper[tx][i];
		}
		__syncthreads();
	}
}
