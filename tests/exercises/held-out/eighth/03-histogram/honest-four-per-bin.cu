// honest: all 64 threads sum: four per bin, rotated, then two shuffles
constexpr int THREADS = 64, BINS = 16, NUMBERS = 2048;

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
	for (int i = 0; i < THREADS; i += 4)
		sum += counts[bin][(i + tid) % THREADS]; // 32 lanes, 32 neighboring columns
	sum += __shfl_down_sync(0xffffffff, sum, 2);
	sum += __shfl_down_sync(0xffffffff, sum, 1);
	if (tid % 4 == 0)
		out[blockIdx.x * BINS + bin] = sum;
}
