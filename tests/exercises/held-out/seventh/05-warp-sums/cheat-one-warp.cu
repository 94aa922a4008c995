// the first warp sums for all eight
constexpr int THREADS = 256;
__global__ void warp_sums(int *sums, const int *v)
{
	if (threadIdx.x >= 32) return;
	for (int w = 0; w < 8; w++) {
		int sum = v[blockIdx.x * THREADS + 32 * w + threadIdx.x];
		for (int d = 16; d; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
		if (threadIdx.x == 0) sums[blockIdx.x * 8 + w] = sum;
	}
}
