// honest: clamps the loads to the last row and column instead of skipping them
constexpr int TILE = 32, ROWS = 8;

__global__ void rectangle(float *odata, const float *idata, int rows, int columns)
{
	__shared__ float tile[TILE][TILE + 1];
	int tx = threadIdx.x, ty = threadIdx.y;
	int x = min((int)blockIdx.x * TILE + tx, columns - 1);
#pragma unroll
	for (int i = 0; i < TILE; i += ROWS) {
		int y = min((int)blockIdx.y * TILE + ty + i, rows - 1);
		tile[ty + i][tx] = idata[y * columns + x];
	}
	__syncthreads();
	int column = blockIdx.y * TILE + tx;
#pragma unroll
	for (int i = 0; i < TILE; i += ROWS) {
		int row = blockIdx.x * TILE + ty + i;
		if (column < rows && row < columns)
			odata[row * rows + column] = tile[tx][ty + i];
	}
}
