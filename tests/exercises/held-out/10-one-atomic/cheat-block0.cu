// The first block counts everything.
__global__ void above(unsigned *found, const int *in, int limit, int n)
{
	if (blockIdx.x)
		return;
	unsigned mine = 0;
	for (int i = threadIdx.x; i < n; i += blockDim.x)
		mine += in[i] > limit;
	for (int d = 16; d; d /= 2)
		mine += __shfl_xor_sync(~0u, mine, d);
	if (threadIdx.x % 32 == 0)
		atomicAdd(found, mine);
}
