// The bounds are checked, but without a tile: columns are written.
__global__ void rectangle(float *odata, const float *idata, int rows, int columns)
{
	int x = blockIdx.x * 32 + threadIdx.x;
	for (int y = blockIdx.y * 32 + threadIdx.y; y < min(rows, (int)blockIdx.y * 32 + 32); y += 8)
		if (x < columns)
			odata[x * rows + y] = idata[y * columns + x];
}
