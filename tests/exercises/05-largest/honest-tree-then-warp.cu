// The tree for whole warps, shuffles for the last 32 words.
__global__ void largest(int *most, const int *v)
{
	__shared__ int s[256];
	unsigned tid = threadIdx.x;
	s[tid] = v[blockIdx.x * 256 + tid];
	__syncthreads();
	for (unsigned d = 128; d >= 32; d >>= 1) {
		if (tid < d)
			s[tid] = s[tid] > s[tid + d] ? s[tid] : s[tid + d];
		__syncthreads();
	}
	if (tid < 32) {
		int x = s[tid];
		for (int m = 16; m; m /= 2)
			x = max(x, __shfl_xor_sync(0xffffffff, x, m));
		if (tid == 0)
			most[blockIdx.x] = x;
	}
}
