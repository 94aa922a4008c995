// A warp sums a bin at a time.
constexpr int THREADS = 64;
constexpr int BINS = 16;
constexpr int NUMBERS = 2048; // per block

__global__ void histogram(unsigned *out, const unsigned *data)
{
	__shared__ unsigned counts[BINS][THREADS];
	unsigned tid = threadIdx.x;

	for (int bin = 0; bin < BINS; bin++)
		counts[bin][tid] = 0;
	for (int i = 0; i < NUMBERS; i += THREADS)
		counts[data[blockIdx.x * NUMBERS + i + tid] % BINS][tid]++;
	__syncthreads();

	unsigned lane = tid % 32;
	for (int bin = tid / 32; bin < BINS; bin += 2) {
		unsigned sum = counts[bin][lane] + counts[bin][lane + 32];
		for (int d = 16; d > 0; d /= 2)
			sum += __shfl_down_sync(0xffffffff, sum, d);
		if (lane == 0)
			out[blockIdx.x * BINS + bin] = sum;
	}
}
