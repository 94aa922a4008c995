// cheat: the private counters are in an indexed array, that is in local memory, instead of another layout
constexpr int THREADS = 64, BINS = 16, NUMBERS = 2048;

__global__ void histogram(unsigned *out, const unsigned *data)
{
	__shared__ unsigned part[2][BINS];
	unsigned tid = threadIdx.x, own[BINS] = {};
#pragma unroll 1
	for (int i = 0; i < NUMBERS; i += THREADS)
		own[data[blockIdx.x * NUMBERS + i + tid] % BINS]++;
#pragma unroll 1
	for (int b = 0; b < BINS; b++) {
		unsigned sum = own[b];
		for (int d = 16; d > 0; d /= 2)
			sum += __shfl_down_sync(0xffffffff, sum, d);
		if (tid % 32 == 0)
			part[tid / 32][b] = sum;
	}
	__syncthreads();
	if (tid < BINS)
		out[blockIdx.x * BINS + tid] = part[0][tid] + part[1][tid];
}
