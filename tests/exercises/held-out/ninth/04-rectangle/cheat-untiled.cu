// cheat: any shape, but without the tile: the warps write columns
__global__ void rectangle(float *odata, const float *idata, int rows,
	int columns)
{
	int x = blockIdx.x * 32 + threadIdx.x;
	int y = blockIdx.y * 32 + threadIdx.y;

	for (int i = 0; i < 32; i += 8)
		if (x < columns && y + i < rows)
			odata[x * rows + y + i] = idata[x + (y + i) * columns];
}
