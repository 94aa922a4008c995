// cheat: the second loop has no conflict because one thread reads all 1024 counters alone
constexpr int THREADS = 64, BINS = 16, NUMBERS = 2048;

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
