// one warp takes eight words per lane, then shuffles; seven warps idle
__global__ void largest(int *most, const int *v)
{
	if (threadIdx.x >= 32) return;
	int m = -2147483647 - 1;
	for (int k = 0; k < 8; k++) m = max(m, v[blockIdx.x * 256 + 32 * k + threadIdx.x]);
	for (int d = 16; d; d /= 2) m = max(m, __shfl_xor_sync(~0u, m, d));
	if (threadIdx.x == 0) most[blockIdx.x] = m;
}
