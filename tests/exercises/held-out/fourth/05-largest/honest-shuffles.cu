// Warps find their maximum with shuffles, the first eight lanes the block's.
__global__ void largest(int *most, const int *v)
{
	__shared__ int warps[8];
	const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
	int m = v[blockIdx.x * 256 + threadIdx.x];
	for (int d = 16; d; d /= 2)
		m = max(m, __shfl_xor_sync(~0u, m, d));
	if (lane == 0)
		warps[warp] = m;
	__syncthreads();
	if (threadIdx.x < 8) {
		m = warps[lane];
		for (int d = 4; d; d /= 2)
			m = max(m, __shfl_down_sync(0xff, m, d));
		if (lane == 0)
			most[blockIdx.x] = m;
	}
}
