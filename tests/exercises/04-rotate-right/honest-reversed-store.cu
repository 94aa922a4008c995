// Transposed and reversed when it is stored to the tile.
__global__ void rotate_right(float *odata, const float *idata, int n)
{
	__shared__ float tile[32][33];
	int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
	for (int i = 0; i < 32; i += 8)
		tile[threadIdx.x][31 - (threadIdx.y + i)] = idata[(y + i) * n + x];
	__syncthreads();
	x = n - (blockIdx.y + 1) * 32 + threadIdx.x;
	y = blockIdx.x * 32 + threadIdx.y;
	for (int i = 0; i < 32; i += 8)
		odata[(y + i) * n + x] = tile[threadIdx.y + i][threadIdx.x];
}
