__global__ void rectangle(float *odata, const float *idata, int rows, int columns)
{
	__shared__ float tile[32][33];
	int t = threadIdx.y * 32 + threadIdx.x;
	for (int k = t; k < 1024; k += 256) {
		int r = k / 32, c = k % 32, y = blockIdx.y * 32 + r, x = blockIdx.x * 32 + c;
		if (y < rows && x < columns)
			tile[r][c] = idata[y * columns + x];
	}
	__syncthreads();
	for (int k = t; k < 1024; k += 256) {
		int r = k / 32, c = k % 32, y = blockIdx.x * 32 + r, x = blockIdx.y * 32 + c;
		if (y < columns && x < rows)
			odata[y * rows + x] = tile[c][r];
	}
}
