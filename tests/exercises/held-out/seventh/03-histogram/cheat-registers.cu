// no table: every thread compares with all bins in registers, sums by shuffles
constexpr int THREADS = 64, BINS = 16, NUMBERS = 2048;
__global__ void histogram(unsigned *out, const unsigned *data)
{
	__shared__ unsigned half[2][BINS];
	unsigned tid = threadIdx.x, c[BINS] = {};
	for (int i = 0; i < NUMBERS; i += THREADS) {
		unsigned b = data[blockIdx.x * NUMBERS + i + tid] % BINS;
#pragma unroll
		for (int k = 0; k < BINS; k++) c[k] += b == k;
	}
#pragma unroll
	for (int k = 0; k < BINS; k++) {
		for (int d = 16; d; d /= 2) c[k] += __shfl_xor_sync(~0u, c[k], d);
		if (tid % 32 == 0) half[tid / 32][k] = c[k];
	}
	__syncthreads();
	if (tid < BINS) out[blockIdx.x * BINS + tid] = half[0][tid] + half[1][tid];
}
