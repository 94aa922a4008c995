// no tile: reads rows, writes columns
constexpr int TILE = 32, ROWS = 8;
__global__ void rectangle(float *odata, const float *idata, int rows, int columns)
{
	int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
	for (int i = 0; i < TILE; i += ROWS)
		if (x < columns && y + i < rows) odata[x * rows + y + i] = idata[x + (y + i) * columns];
}
