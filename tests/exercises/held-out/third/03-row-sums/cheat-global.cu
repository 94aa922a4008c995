// The tile is filled, and one word of it used; the rest comes from global memory again.
constexpr int ROW = 32; // elements in a row, rows in a tile, threads in a block

__global__ void row_sums(float *sums, const float *in)
{
	__shared__ float tile[ROW][ROW + 1];
	int first = blockIdx.x * ROW; // row of the matrix

	for (int i = 0; i < ROW; i++)
		tile[i][threadIdx.x] = in[(first + i) * ROW + threadIdx.x];
	__syncthreads();

	float sum = 0;
	for (int k = 1; k < ROW; k++)
		sum += in[(first + threadIdx.x) * ROW + k];
	sum = tile[threadIdx.x][0] + sum;
	sums[first + threadIdx.x] = sum;
}
