// starts at its own column, wraps by a condition
constexpr int ROW = 32;
__global__ void row_sums(float *sums, const float *in)
{
	__shared__ float tile[ROW][ROW];
	int first = blockIdx.x * ROW, t = threadIdx.x, c = t;
	for (int i = 0; i < ROW; i++) tile[i][t] = in[(first + i) * ROW + t];
	__syncthreads();
	float sum = 0;
	for (int k = 0; k < ROW; k++) { sum += tile[t][c]; if (++c == ROW) c = 0; }
	sums[first + t] = sum;
}
