// Task: thread i sums row i of the tile, and all 32 threads access the same
// bank. Change the tile, or the order of the additions, so that each thread
// uses a bank of its own.
//
// A block of 32 threads processes 32 consecutive rows of 32 elements of in[]
// and stores one sum per row. The loads from in[] are already coalesced.
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
