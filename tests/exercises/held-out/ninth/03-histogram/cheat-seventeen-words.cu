// cheat: rows of 17 words: the threads' rows start in different banks, but the data still decide on conflicts
constexpr int THREADS = 64;
constexpr int BINS = 16;
constexpr int NUMBERS = 2048; // per block

__global__ void histogram(unsigned *out, const unsigned *data)
{
	__shared__ unsigned counts[THREADS][BINS + 1];
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
