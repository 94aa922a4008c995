// every lane sums every row: broadcasts have no conflict, but 32 times the work
constexpr int ROW = 32;
__global__ void row_sums(float *sums, const float *in)
{
	__shared__ float tile[ROW][ROW];
	int first = blockIdx.x * ROW, t = threadIdx.x;
	for (int i = 0; i < ROW; i++) tile[i][t] = in[(first + i) * ROW + t];
	__syncthreads();
	float mine = 0;
	for (int r = 0; r < ROW; r++) {
		float sum = 0;
		for (int k = 0; k < ROW; k++) sum += tile[r][k];
		if (r == t) mine = sum;
	}
	sums[first + t] = mine;
}
