// No tile: reads rows and writes columns.
__global__ void transpose(float *odata, const float *idata, int n)
{
	int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
	for (int i = 0; i < 32; i += 8)
		odata[x * n + y + i] = idata[x + (y + i) * n];
}
