// warps by shuffles, then the first warp
__global__ void largest(int *most, const int *v)
{
	__shared__ int s[8];
	int tid = threadIdx.x, x = v[blockIdx.x * 256 + tid];
	for (int d = 16; d; d /= 2) x = max(x, __shfl_xor_sync(~0u, x, d));
	if (tid % 32 == 0) s[tid / 32] = x;
	__syncthreads();
	if (tid < 32) {
		x = s[tid % 8];
		for (int d = 4; d; d /= 2) x = max(x, __shfl_xor_sync(~0u, x, d));
		if (tid == 0) most[blockIdx.x] = x;
	}
}
