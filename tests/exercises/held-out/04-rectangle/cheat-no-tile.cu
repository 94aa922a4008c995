__global__ void rectangle(float *odata, const float *idata, int rows, int columns)
{
	int x = blockIdx.x * 32 + threadIdx.x;
	for (int i = 0; i < 32; i += 8) {
		int y = blockIdx.y * 32 + threadIdx.y + i;
		if (x < columns && y < rows)
			odata[x * rows + y] = idata[y * columns + x];
	}
}
