__global__ void rotate_right(float *odata, const float *idata, int n)
{
	__shared__ float tile[32][33];
	int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
	if (blockIdx.x == 0 && blockIdx.y == 0) {
		for (int i = 0; i < 32; i += 8)
			odata[x * n + n - 1 - (y + i)] = idata[(y + i) * n + x];
		return;
	}
	for (int i = 0; i < 32; i += 8)
		tile[threadIdx.y + i][threadIdx.x] = idata[(y + i) * n + x];
	__syncthreads();
	x = (gridDim.y - 1 - blockIdx.y) * 32 + threadIdx.x;
	y = blockIdx.x * 32 + threadIdx.y;
	for (int i = 0; i < 32; i += 8)
		odata[(y + i) * n + x] = tile[31 - threadIdx.x][threadIdx.y + i];
}
