// One row of counters with atomics, in the first column of the table.
constexpr int THREADS = 64;
constexpr int BINS = 16;
constexpr int NUMBERS = 2048; // per block

__global__ void histogram(unsigned *out, const unsigned *data)
{
	__shared__ unsigned counts[BINS][THREADS];
	unsigned tid = threadIdx.x;

	for (int bin = 0; bin < BINS; bin++)
		counts[bin][tid] = 0;
	__syncthreads();
	for (int i = 0; i < NUMBERS; i += THREADS)
		atomicAdd(&counts[data[blockIdx.x * NUMBERS + i + tid] % BINS][0], 1u);
	__syncthreads();

	if (tid < BINS) {
		unsigned sum = 0;
		for (int i = 0; i < THREADS; i++)
			sum += counts[tid][(i + tid) % THREADS];
		out[blockIdx.x * BINS + tid] = sum;
	}
}
