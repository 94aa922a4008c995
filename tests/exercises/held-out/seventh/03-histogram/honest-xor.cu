// flat table, columns visited in the order i ^ tid
constexpr int THREADS = 64, BINS = 16, NUMBERS = 2048;
__global__ void histogram(unsigned *out, const unsigned *data)
{
	__shared__ unsigned counts[BINS * THREADS];
	unsigned tid = threadIdx.x;
	for (int k = tid; k < BINS * THREADS; k += THREADS) counts[k] = 0;
	for (int i = NUMBERS - THREADS; i >= 0; i -= THREADS) {
		unsigned *c = &counts[(data[blockIdx.x * NUMBERS + i + tid] % BINS) * THREADS + tid];
		*c = *c + 1;
	}
	__syncthreads();
	if (tid >= BINS) return;
	unsigned sum = 0;
	for (int i = 0; i < THREADS; i++) sum += counts[tid * THREADS + (i ^ tid)];
	out[blockIdx.x * BINS + tid] = sum;
}
