// Sixteen compares per number, in registers; the table gets the sums only.
constexpr int THREADS = 64;
constexpr int BINS = 16;
constexpr int NUMBERS = 2048; // per block

__global__ void histogram(unsigned *out, const unsigned *data)
{
	__shared__ unsigned counts[BINS][THREADS];
	unsigned tid = threadIdx.x;

	unsigned mine[BINS] = {};
	for (int i = 0; i < NUMBERS; i += THREADS) {
		unsigned bin = data[blockIdx.x * NUMBERS + i + tid] % BINS;
#pragma unroll
		for (int b = 0; b < BINS; b++)
			mine[b] += b == bin;
	}
#pragma unroll
	for (int b = 0; b < BINS; b++)
		counts[b][tid] = mine[b];
	__syncthreads();

	if (tid < BINS) {
		unsigned sum = 0;
		for (int i = 0; i < THREADS; i++)
			sum += counts[tid][(i + tid) % THREADS];
		out[blockIdx.x * BINS + tid] = sum;
	}
}
