// honest: computes how much of the tile exists, and lets the loops end there
constexpr int TILE = 32, ROWS = 8;

__global__ void rectangle(float *odata, const float *idata, int rows, int columns)
{
	__shared__ float tile[TILE][TILE + 1];
	const int left = blockIdx.x * TILE, top = blockIdx.y * TILE;
	const int width = min(TILE, columns - left), height = min(TILE, rows - top);
	const int tx = threadIdx.x;
	if (tx < width)
		for (int i = threadIdx.y; i < height; i += ROWS)
			tile[i][tx] = idata[(top + i) * columns + left + tx];
	__syncthreads();
	if (tx < height)
		for (int i = threadIdx.y; i < width; i += ROWS)
			odata[(left + i) * rows + top + tx] = tile[tx][i];
}
