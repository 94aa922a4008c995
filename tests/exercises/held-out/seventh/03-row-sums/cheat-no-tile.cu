// rows from global memory, dead stores into a padded tile
constexpr int ROW = 32;
__global__ void row_sums(float *sums, const float *in)
{
	__shared__ float tile[ROW][ROW + 1];
	int first = blockIdx.x * ROW, t = threadIdx.x;
	for (int i = 0; i < ROW; i++) ((volatile float *)tile[i])[t] = in[(first + i) * ROW + t];
	__syncthreads();
	float sum = 0;
	for (int k = 0; k < ROW; k++) sum += in[(first + t) * ROW + k];
	sums[first + t] = sum;
}
