// honest: the columns are permuted by an exclusive or when written and when read
constexpr int ROW = 32;

__device__ int at(int row, int column) { return row * ROW + (row ^ column); }

__global__ void row_sums(float *sums, const float *in)
{
	__shared__ float tile[ROW * ROW];
	int first = blockIdx.x * ROW;
	for (int i = 0; i < ROW; i++)
		tile[at(i, threadIdx.x)] = in[(first + i) * ROW + threadIdx.x];
	__syncthreads();
	float even = 0, odd = 0;
	for (int k = 0; k < ROW; k += 2) {
		even += tile[at(threadIdx.x, k)];
		odd += tile[at(threadIdx.x, k + 1)];
	}
	sums[first + threadIdx.x] = even + odd;
}
