// column k ^ t instead of k, two accumulators
constexpr int ROW = 32;
__global__ void row_sums(float *sums, const float *in)
{
	__shared__ float tile[ROW * ROW];
	const float *from = in + (size_t)blockIdx.x * ROW * ROW + threadIdx.x;
	for (int i = ROW - 1; i >= 0; i--) tile[i * ROW + threadIdx.x] = from[i * ROW];
	__syncwarp();
	float even = 0, odd = 0;
	const float *row = tile + threadIdx.x * ROW;
	for (int k = 0; k < ROW; k += 2) { even += row[k ^ threadIdx.x]; odd += row[(k + 1) ^ threadIdx.x]; }
	sums[blockIdx.x * ROW + threadIdx.x] = even + odd;
}
