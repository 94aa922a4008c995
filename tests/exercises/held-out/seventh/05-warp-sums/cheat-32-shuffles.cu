// every lane fetches all 32 values by shuffles
constexpr int THREADS = 256;
__global__ void warp_sums(int *sums, const int *v)
{
	int i = blockIdx.x * THREADS + threadIdx.x, x = v[i], sum = 0;
#pragma unroll
	for (int l = 0; l < 32; l++) sum += __shfl_sync(~0u, x, l);
	if (threadIdx.x % 32 == 0) sums[i / 32] = sum;
}
