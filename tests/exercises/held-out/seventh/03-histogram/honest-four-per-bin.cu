// four threads per bin, then two shuffles
constexpr int THREADS = 64, BINS = 16, NUMBERS = 2048;
__global__ void histogram(unsigned *out, const unsigned *data)
{
	__shared__ unsigned counts[BINS][THREADS];
	unsigned tid = threadIdx.x;
	for (int bin = 0; bin < BINS; bin++) counts[bin][tid] = 0;
	for (int i = 0; i < NUMBERS; i += THREADS) counts[data[blockIdx.x * NUMBERS + i + tid] % BINS][tid]++;
	__syncthreads();
	unsigned bin = tid / 4, sum = 0;
	for (int i = 0; i < THREADS; i += 4) sum += counts[bin][(i + tid) % THREADS];
	sum += __shfl_xor_sync(~0u, sum, 1);
	sum += __shfl_xor_sync(~0u, sum, 2);
	if (tid % 4 == 0) out[blockIdx.x * BINS + bin] = sum;
}
