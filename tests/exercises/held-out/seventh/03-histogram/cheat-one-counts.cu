// one thread counts into sixteen counters
constexpr int THREADS = 64, BINS = 16, NUMBERS = 2048;
__global__ void histogram(unsigned *out, const unsigned *data)
{
	__shared__ unsigned counts[BINS];
	unsigned tid = threadIdx.x;
	if (tid < BINS) counts[tid] = 0;
	__syncthreads();
	if (tid == 0) for (int i = 0; i < NUMBERS; i++) counts[data[blockIdx.x * NUMBERS + i] % BINS]++;
	__syncthreads();
	if (tid < BINS) out[blockIdx.x * BINS + tid] = counts[tid];
}
