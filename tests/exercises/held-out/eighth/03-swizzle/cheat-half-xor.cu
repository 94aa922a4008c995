// cheat: permutes only by the low four bits of the row: two lanes still share each bank
constexpr int TILE = 32, ROWS = 8;
extern __shared__ float tile[];

__device__ int position(int row, int column) { return row * TILE + (column ^ (row & 15)); }

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
