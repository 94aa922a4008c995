// A row of the tile is one word longer than it has to be: word k of row i then
// lies in bank i + k, and for any k the 32 threads ask 32 banks.
//
// A block of 32 threads takes 32 rows of 32 elements that follow each other in
// in[] and leaves a sum for each.
constexpr int ROW = 32; // elements in a row, rows in a tile, threads in a block

__global__ void row_sums(float *sums, const float *in)
{
	__shared__ float tile[ROW][ROW + 1];
	int first = blockIdx.x * ROW; // row of the matrix

	for (int i = 0; i < ROW; i++)
		tile[i][threadIdx.x] = in[(first + i) * ROW + threadIdx.x];
	__syncthreads();

	float sum = 0;
	for (int k = 0; k < ROW; k++)
		sum += tile[threadIdx.x][k];
	sums[first + threadIdx.x] = sum;
}
