// honest: swapped; each warp sums eight bins, a row of consecutive words at a time, by shuffles
constexpr int THREADS = 64;
constexpr int BINS = 16;
constexpr int NUMBERS = 2048;

__global__ void histogram(unsigned *out, const unsigned *data)
{
	__shared__ unsigned counts[BINS][THREADS];
	const unsigned tid = threadIdx.x, lane = tid % 32;

#pragma unroll
	for (int bin = 0; bin < BINS; bin++)
		counts[bin][tid] = 0;
	const unsigned *from = data + blockIdx.x * NUMBERS;
	for (unsigned i = tid; i < NUMBERS; i += THREADS)
		++counts[from[i] & (BINS - 1)][tid];
	__syncthreads();

	for (unsigned bin = tid / 32; bin < BINS; bin += 2) {
		unsigned sum = counts[bin][lane] + counts[bin][lane + 32];
		for (int d = 16; d > 0; d /= 2)
			sum += __shfl_down_sync(0xffffffff, sum, d);
		if (lane == 0)
			out[blockIdx.x * BINS + bin] = sum;
	}
}
