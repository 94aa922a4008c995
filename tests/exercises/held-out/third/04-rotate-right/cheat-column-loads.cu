// No shared memory: stores in rows, loads in columns.
__global__ void rotate_right(float *odata, const float *idata, int n)
{
	int x = blockIdx.x * 32 + threadIdx.x;
	int y = blockIdx.y * 32 + threadIdx.y;
	for (int i = 0; i < 32; i += 8)
		odata[(y + i) * n + x] = idata[(n - 1 - x) * n + y + i];
}
