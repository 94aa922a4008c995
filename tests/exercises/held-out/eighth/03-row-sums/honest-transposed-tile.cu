// honest: stores transposed into rows of 33 words, so that the reads run along rows
constexpr int ROW = 32;

__global__ void row_sums(float *sums, const float *in)
{
	__shared__ float columns[ROW][ROW + 1]; // [column][row]
	unsigned lane = threadIdx.x, first = blockIdx.x * ROW;
	for (unsigned row = 0; row < ROW; ++row)
		columns[lane][row] = in[(first + row) * ROW + lane];
	__syncthreads();

	float sum = columns[0][lane];
	for (unsigned column = 1; column < ROW; ++column)
		sum += columns[column][lane];
	sums[first + lane] = sum;
}
