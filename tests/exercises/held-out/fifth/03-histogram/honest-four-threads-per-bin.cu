// Counters of a bin side by side; then all 64 threads sum, four per bin, each bin four columns further.
constexpr int THREADS = 64, BINS = 16, NUMBERS = 2048;
__global__ void histogram(unsigned *out, const unsigned *data)
{
	__shared__ unsigned counts[BINS * THREADS];
	const unsigned tid = threadIdx.x;
#pragma unroll
	for (int bin = 0; bin < BINS; bin++)
		counts[bin * THREADS + tid] = 0;
	for (int i = tid; i < NUMBERS; i += THREADS)
		++counts[(data[blockIdx.x * NUMBERS + i] & (BINS - 1)) * THREADS + tid];
	__syncthreads();
	const unsigned bin = tid / 4, part = tid % 4;
	unsigned sum = 0;
	for (int i = 0; i < 16; i++)
		sum += counts[bin * THREADS + (4 * (i + bin) + part) % THREADS];
	sum += __shfl_xor_sync(~0u, sum, 1);
	sum += __shfl_xor_sync(~0u, sum, 2);
	if (part == 0)
		out[blockIdx.x * BINS + bin] = sum;
}
