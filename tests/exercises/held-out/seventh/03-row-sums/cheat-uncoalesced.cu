// the loads from in[] by columns, so that the tile is transposed already
constexpr int ROW = 32;
__global__ void row_sums(float *sums, const float *in)
{
	__shared__ float tile[ROW][ROW];
	int first = blockIdx.x * ROW, t = threadIdx.x;
	for (int i = 0; i < ROW; i++) tile[i][t] = in[(first + t) * ROW + i];
	__syncthreads();
	float sum = 0;
	for (int k = 0; k < ROW; k++) sum += tile[k][t];
	sums[first + t] = sum;
}
