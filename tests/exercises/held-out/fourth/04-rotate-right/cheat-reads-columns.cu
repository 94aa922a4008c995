// Writes rows and reads columns.
__global__ void rotate_right(float *odata, const float *idata, int n)
{
	int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 32 + threadIdx.y;
	for (int i = 0; i < 32; i += 8)
		odata[(r + i) * n + c] = idata[(n - 1 - c) * n + r + i];
}
