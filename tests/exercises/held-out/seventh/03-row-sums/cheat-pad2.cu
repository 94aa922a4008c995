// two words of padding: still two rows per bank
constexpr int ROW = 32;
__global__ void row_sums(float *sums, const float *in)
{
	__shared__ float tile[ROW][ROW + 2];
	int first = blockIdx.x * ROW, t = threadIdx.x;
	for (int i = 0; i < ROW; i++) tile[i][t] = in[(first + i) * ROW + t];
	__syncthreads();
	float sum = 0;
	for (int k = 0; k < ROW; k++) sum += tile[t][k];
	sums[first + t] = sum;
}
