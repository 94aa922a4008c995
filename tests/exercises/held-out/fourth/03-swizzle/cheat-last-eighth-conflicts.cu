// The last four rows of the tile stay where they were.
extern __shared__ float tile[];
__device__ int place(int row, int column)
{
	return row * 32 + (row < 28 ? (column + row) % 32 : column);
}
__global__ void transpose(float *odata, const float *idata, int n)
{
	int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
	for (int i = 0; i < 32; i += 8)
		tile[place(threadIdx.y + i, threadIdx.x)] = idata[x + (y + i) * n];
	__syncthreads();
	x = blockIdx.y * 32 + threadIdx.x;
	y = blockIdx.x * 32 + threadIdx.y;
	for (int i = 0; i < 32; i += 8)
		odata[x + (y + i) * n] = tile[place(threadIdx.x, threadIdx.y + i)];
}
