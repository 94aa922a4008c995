// the conflict moves from the sums to the stores
constexpr int ROW = 32;
__global__ void row_sums(float *sums, const float *in)
{
	__shared__ float tile[ROW][ROW];
	int first = blockIdx.x * ROW, t = threadIdx.x;
	for (int i = 0; i < ROW; i++) tile[t][i] = in[(first + i) * ROW + t];
	__syncthreads();
	float sum = 0;
	for (int k = 0; k < ROW; k++) sum += tile[k][t];
	sums[first + t] = sum;
}
