// The first warp counts for both.
constexpr int THREADS = 64;
constexpr int BINS = 16;
constexpr int NUMBERS = 2048; // per block

__global__ void histogram(unsigned *out, const unsigned *data)
{
	__shared__ unsigned counts[BINS][THREADS];
	unsigned tid = threadIdx.x;

	for (int bin = 0; bin < BINS; bin++)
		counts[bin][tid] = 0;
	if (tid < 32)
		for (int i = 0; i < NUMBERS; i += 32)
			counts[data[blockIdx.x * NUMBERS + i + tid] % BINS][tid]++;
	__syncthreads();

	if (tid < BINS) {
		unsigned sum = 0;
		for (int i = 0; i < THREADS; i++)
			sum += counts[tid][(i + tid) % THREADS];
		out[blockIdx.x * BINS + tid] = sum;
	}
}
