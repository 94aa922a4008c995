// The counters of one bin lie side by side, a thread's in column tid: whichever
// bins the threads of a warp hit, they hit 32 banks. Each bin is then added up
// from another column on, or all bins would be in the same bank at the same
// time.
//
// A block of 64 threads counts 2048 numbers into 16 bins by their last four
// bits and leaves its 16 counts in out[].
constexpr int THREADS = 64;
constexpr int BINS = 16;
constexpr int NUMBERS = 2048; // for each block

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
