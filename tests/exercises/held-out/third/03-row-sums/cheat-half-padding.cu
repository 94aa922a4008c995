// A padding word only after every second row: two rows share their banks.
constexpr int ROW = 32; // elements in a row, rows in a tile, threads in a block

__global__ void row_sums(float *sums, const float *in)
{
	__shared__ float tile[ROW / 2][2 * ROW + 1];
	int first = blockIdx.x * ROW; // row of the matrix

	for (int i = 0; i < ROW; i++)
		tile[i / 2][i % 2 * ROW + threadIdx.x] = in[(first + i) * ROW + threadIdx.x];
	__syncthreads();

	float sum = 0;
	for (int k = 0; k < ROW; k++)
		sum += tile[threadIdx.x / 2][threadIdx.x % 2 * ROW + k];
	sums[first + threadIdx.x] = sum;
}
