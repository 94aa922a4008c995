// honest: a flat table, and an exclusive or instead of the rotation
constexpr unsigned THREADS = 64, BINS = 16, NUMBERS = 2048;

__global__ void histogram(unsigned *out, const unsigned *data)
{
	__shared__ unsigned counts[BINS * THREADS];
	unsigned tid = threadIdx.x;
	const unsigned *mine = data + blockIdx.x * NUMBERS + tid;
	for (unsigned i = tid; i < BINS * THREADS; i += THREADS)
		counts[i] = 0;
	for (unsigned i = 0; i < NUMBERS / THREADS; i++, mine += THREADS)
		counts[(*mine & 15) * THREADS + tid] += 1;
	__syncthreads();
	if (tid >= BINS)
		return;
	unsigned sum = 0;
	for (unsigned i = 0; i < THREADS; i++)
		sum += counts[tid * THREADS + (i ^ tid)];
	out[blockIdx.x * BINS + tid] = sum;
}
