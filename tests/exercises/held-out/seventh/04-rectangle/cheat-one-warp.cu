// one warp per block moves the tile
constexpr int TILE = 32;
__global__ void rectangle(float *odata, const float *idata, int rows, int columns)
{
	__shared__ float tile[TILE][TILE + 1];
	if (threadIdx.y) return;
	int tx = threadIdx.x, x0 = blockIdx.x * TILE, y0 = blockIdx.y * TILE;
	for (int i = 0; i < TILE; i++) if (x0 + tx < columns && y0 + i < rows) tile[i][tx] = idata[x0 + tx + (y0 + i) * columns];
	__syncwarp();
	for (int i = 0; i < TILE; i++) if (y0 + tx < rows && x0 + i < columns) odata[y0 + tx + (x0 + i) * rows] = tile[tx][i];
}
