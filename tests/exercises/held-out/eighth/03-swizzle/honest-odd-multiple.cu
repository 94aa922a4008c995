// honest: rotates each row by five times its number: any odd factor has the property
constexpr int TILE = 32, ROWS = 8;
extern __shared__ float tile[];

__device__ unsigned position(unsigned row, unsigned column)
{
	return row * TILE + (column - 5 * row) % TILE;
}

__global__ void transpose(float *odata, const float *idata, int n)
{
	int x = blockIdx.x * TILE + threadIdx.x;
	int y = blockIdx.y * TILE + threadIdx.y;
	for (int i = 0; i < TILE; i += ROWS)
		tile[position(threadIdx.y + i, threadIdx.x)] = idata[x + (y + i) * n];
	__syncthreads();
	x = blockIdx.y * TILE + threadIdx.x;
	y = blockIdx.x * TILE + threadIdx.y;
	for (int i = 0; i < TILE; i += ROWS)
		odata[x + (y + i) * n] = tile[position(threadIdx.x, threadIdx.y + i)];
}
