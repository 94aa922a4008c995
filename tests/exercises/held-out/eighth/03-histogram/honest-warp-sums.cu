// honest: each warp sums eight bins along their rows, with shuffles at the end
constexpr int THREADS = 64, BINS = 16, NUMBERS = 2048;

__global__ void histogram(unsigned *out, const unsigned *data)
{
	__shared__ unsigned counts[BINS][THREADS];
	unsigned tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
#pragma unroll
	for (int bin = 0; bin < BINS; bin++)
		counts[bin][tid] = 0;
	for (int i = 0; i < NUMBERS; i += THREADS) {
		unsigned bin = data[blockIdx.x * NUMBERS + i + tid] % BINS;
		counts[bin][tid]++;
	}
	__syncthreads();
	for (unsigned bin = warp; bin < BINS; bin += 2) {
		unsigned sum = counts[bin][lane] + counts[bin][lane + 32];
		for (int d = 16; d > 0; d /= 2)
			sum += __shfl_xor_sync(0xffffffff, sum, d);
		if (lane == 0)
			out[blockIdx.x * BINS + bin] = sum;
	}
}
