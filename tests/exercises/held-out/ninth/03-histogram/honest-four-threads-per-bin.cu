// honest: swapped, flat; four threads sum a bin, each starting four columns after those of the bin before
constexpr unsigned THREADS = 64;
constexpr unsigned BINS = 16;
constexpr unsigned NUMBERS = 2048;

__global__ void histogram(unsigned *out, const unsigned *data)
{
	__shared__ unsigned table[BINS * THREADS];
	unsigned tid = threadIdx.x;
	unsigned *own = table + tid;

	for (unsigned bin = 0; bin < BINS; bin++)
		own[bin * THREADS] = 0;
	for (unsigned i = 0; i < NUMBERS / THREADS; i++)
		own[data[blockIdx.x * NUMBERS + i * THREADS + tid] % BINS * THREADS] += 1;
	__syncthreads();

	unsigned bin = tid / 4, part = tid % 4, sum = 0;
	for (unsigned j = 0; j < THREADS / 4; j++)
		sum += table[bin * THREADS + ((j + bin) * 4 + part) % THREADS];
	sum += __shfl_xor_sync(0xffffffff, sum, 1);
	sum += __shfl_xor_sync(0xffffffff, sum, 2);
	if (part == 0)
		out[blockIdx.x * BINS + bin] = sum;
}
