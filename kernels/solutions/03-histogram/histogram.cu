// The counters of one bin are adjacent, a thread's in column tid: whichever
// bins the threads of a warp update, they use 32 different banks. Each bin is
// then summed from a different column on; otherwise all threads would read the
// same bank at the same time.
//
// A block of 64 threads counts 2048 numbers into 16 bins by their last four
// bits and stores its 16 counts in out[].
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

	if (tid < BINS) {
		unsigned sum = 0;
		for (int i = 0; i < THREADS; i++)
			sum += counts[tid][(i + tid) % THREADS];
		out[blockIdx.x * BINS + tid] = sum;
	}
}
