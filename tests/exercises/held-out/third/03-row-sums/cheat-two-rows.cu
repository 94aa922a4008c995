// Half of the threads sum two rows each.
constexpr int ROW = 32; // elements in a row, rows in a tile, threads in a block

__global__ void row_sums(float *sums, const float *in)
{
	__shared__ float tile[ROW][ROW + 1];
	int first = blockIdx.x * ROW; // row of the matrix

	for (int i = 0; i < ROW; i++)
		tile[i][threadIdx.x] = in[(first + i) * ROW + threadIdx.x];
	__syncthreads();

	if (threadIdx.x < 16)
		for (int row = threadIdx.x; row < ROW; row += 16) {
			float sum = 0;
			for (int k = 0; k < ROW; k++)
				sum += tile[row][k];
			sums[first + row] = sum;
		}
}
