// cheat: the table is swapped, and one thread sums all 16 bins: no conflicts, but 16 times as many requests
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

	if (tid == 0)
		for (int bin = 0; bin < BINS; bin++) {
			unsigned sum = 0;
			for (int i = 0; i < THREADS; i++)
				sum += counts[bin][i];
			out[blockIdx.x * BINS + bin] = sum;
		}
}
