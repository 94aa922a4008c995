// cheat: swapped dimensions and a padding word per row: the sums are free of conflicts, but counting conflicts with the data again
constexpr int THREADS = 64, BINS = 16, NUMBERS = 2048;

__global__ void histogram(unsigned *out, const unsigned *data)
{
	__shared__ unsigned counts[BINS][THREADS + 1];
	unsigned tid = threadIdx.x;
	for (int bin = 0; bin < BINS; bin++)
		counts[bin][tid] = 0;
	for (int i = 0; i < NUMBERS; i += THREADS)
		counts[data[blockIdx.x * NUMBERS + i + tid] % BINS][tid]++;
	__syncthreads();
	if (tid < BINS) {
		unsigned sum = 0;
		for (int i = 0; i < THREADS; i++)
			sum += counts[tid][i];
		out[blockIdx.x * BINS + tid] = sum;
	}
}
