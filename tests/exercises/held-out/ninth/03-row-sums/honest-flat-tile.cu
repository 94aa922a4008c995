// honest: a flat array with rows of 35 words, two sums per thread
constexpr int ROW = 32;
constexpr int STRIDE = 35; // odd

__global__ void row_sums(float *sums, const float *in)
{
	__shared__ float words[ROW * STRIDE];
	const float *from = in + blockIdx.x * ROW * ROW;
	for (int w = threadIdx.x; w < ROW * ROW; w += ROW)
		words[w / ROW * STRIDE + w % ROW] = from[w];
	__syncthreads();

	const float *own = &words[threadIdx.x * STRIDE];
	float even = 0, odd = 0;
#pragma unroll
	for (int k = 0; k < ROW; k += 2) {
		even += own[k];
		odd += own[k + 1];
	}
	sums[blockIdx.x * ROW + threadIdx.x] = even + odd;
}
