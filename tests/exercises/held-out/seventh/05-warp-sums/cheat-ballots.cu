// 32 votes, one per bit
constexpr int THREADS = 256;
__global__ void warp_sums(int *sums, const int *v)
{
	int i = blockIdx.x * THREADS + threadIdx.x; unsigned x = v[i], sum = 0;
#pragma unroll
	for (int b = 0; b < 32; b++) sum += (unsigned)__popc(__ballot_sync(~0u, x >> b & 1)) << b;
	if (i % 32 == 0) sums[i / 32] = sum;
}
