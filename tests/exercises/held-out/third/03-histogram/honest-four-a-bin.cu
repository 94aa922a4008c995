// Four threads sum a bin, and shuffles their sums.
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

	unsigned bin = tid / 4, sum = 0;
	for (int i = 0; i < THREADS / 4; i++)
		sum += counts[bin][(4 * (i + bin) + tid % 4) % THREADS];
	sum += __shfl_xor_sync(0xffffffff, sum, 1);
	sum += __shfl_xor_sync(0xffffffff, sum, 2);
	if (tid % 4 == 0)
		out[blockIdx.x * BINS + bin] = sum;
}
