// Only the low four bits of the row move an element: two words per bank when a column is read.
constexpr int TILE = 32, ROWS = 8;
extern __shared__ float tile[];
__device__ int place(int row, int column) { return row * TILE + (column ^ (row & 15)); }
__global__ void transpose(float *odata, const float *idata, int n)
{
	int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
	for (int i = 0; i < TILE; i += ROWS)
		tile[place(threadIdx.y + i, threadIdx.x)] = idata[x + (y + i) * n];
	__syncthreads();
	x = blockIdx.y * TILE + threadIdx.x;
	y = blockIdx.x * TILE + threadIdx.y;
	for (int i = 0; i < TILE; i += ROWS)
		odata[x + (y + i) * n] = tile[place(threadIdx.x, threadIdx.y + i)];
}
