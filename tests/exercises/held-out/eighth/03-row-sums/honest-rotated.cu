// honest: the tile stays 32 wide, each thread starts in its own column
constexpr int ROW = 32;

__global__ void row_sums(float *sums, const float *in)
{
	__shared__ float tile[ROW * ROW];
	const int t = threadIdx.x;
	const float *from = in + blockIdx.x * ROW * ROW;
#pragma unroll
	for (int i = 0; i < ROW; i++)
		tile[i * ROW + t] = from[i * ROW + t];
	__syncwarp();

	float sum = 0;
	for (int k = t; k < t + ROW; k++)
		sum += tile[t * ROW + (k & (ROW - 1))];
	sums[blockIdx.x * ROW + t] = sum;
}
