// Task: every thread has a row of counters of its own, which needs no atomics,
// but all rows start in one of only two banks. Swap the dimensions of the
// table. Then remove the bank conflict from the loop that sums the bins.
//
// A block of 64 threads counts 2048 numbers into 16 bins by their last four
// bits and stores its 16 counts in out[].
constexpr int THREADS = 64;
constexpr int BINS = 16;
constexpr int NUMBERS = 2048; // per block

__global__ void histogram(unsigned *out, const unsigned *data)
{
	__shared__ unsigned counts[THREADS][BINS];
	unsigned tid = threadIdx.x;

	for (int bin = 0; bin < BINS; bin++)
		counts[tid][bin] = 0;
	for (int i = 0; i < NUMBERS; i += THREADS)
		counts[tid][data[blockIdx.x * NUMBERS + i + tid] % BINS]++;
	__syncthreads();

	if (tid < BINS) {
		unsigned sum = 0;
		for (int i = 0; i < THREADS; i++)
			sum += counts[i][tid];
		out[blockIdx.x * BINS + tid] = sum;
	}
}
