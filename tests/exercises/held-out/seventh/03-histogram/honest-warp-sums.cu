// each warp sums eight bins with shuffles
constexpr int THREADS = 64, BINS = 16, NUMBERS = 2048;
__global__ void histogram(unsigned *out, const unsigned *data)
{
	__shared__ unsigned counts[BINS][THREADS];
	unsigned tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
	for (auto &bin : counts) bin[tid] = 0;
	const unsigned *from = data + blockIdx.x * NUMBERS + tid;
	for (int i = 0; i < NUMBERS / THREADS; i++) ++counts[from[i * THREADS] & 15][tid];
	__syncthreads();
	for (int b = warp * 8; b < warp * 8 + 8; b++) {
		unsigned sum = counts[b][lane] + counts[b][lane + 32];
		for (int d = 16; d; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
		if (lane == 0) out[blockIdx.x * BINS + b] = sum;
	}
}
