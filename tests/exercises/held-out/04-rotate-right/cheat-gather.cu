// Writes rows and reads columns.
__global__ void rotate_right(float *odata, const float *idata, int n)
{
	int x = blockIdx.x * 32 + threadIdx.x;
	for (int i = 0; i < 32; i += 8) {
		int y = blockIdx.y * 32 + threadIdx.y + i;
		odata[y * n + x] = idata[(n - 1 - x) * n + y];
	}
}
