// Task: thread i adds up row i of the tile, and all 32 threads ask one bank.
// Change the tile, or the order of the additions, so that each finds a bank of
// its own.
//
// A block of 32 threads takes 32 rows of 32 elements that follow each other in
// in[] and leaves a sum for each. Reading in[] is as it should be already.
constexpr int ROW = 32; // elements in a row, rows in a tile, threads in a block

__global__ void row_sums(float *sums, const float *in)
{
	__shared__ float tile[ROW][ROW];
	int first = blockIdx.x * ROW; // row of the matrix

	for (int i = 0; i < ROW; i++)
		tile[i][threadIdx.x] = in[(first + i) * ROW + threadIdx.x];
	__syncthreads();

	float sum = 0;
	for (int k = 0; k < ROW; k++)
		sum += tile[threadIdx.x][k];
	sums[first + threadIdx.x] = sum;
}
