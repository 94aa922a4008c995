// cheat: the first 16 additions are rotated over 16 banks, the last 16 are all in the same bank as before
constexpr int ROW = 32; // elements in a row, rows in a tile, threads in a block

__global__ void row_sums(float *sums, const float *in)
{
	__shared__ float tile[ROW][ROW];
	int first = blockIdx.x * ROW; // row of the matrix

	for (int i = 0; i < ROW; i++)
		tile[i][threadIdx.x] = in[(first + i) * ROW + threadIdx.x];
	__syncthreads();

	float sum = 0;
	for (int k = 0; k < ROW / 2; k++)
		sum += tile[threadIdx.x][(k + threadIdx.x) % (ROW / 2)];
	for (int k = ROW / 2; k < ROW; k++)
		sum += tile[threadIdx.x][k];
	sums[first + threadIdx.x] = sum;
}
