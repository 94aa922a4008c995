// honest: a tree of barriers down to 64 words, then one warp finishes with shuffles
constexpr unsigned THREADS = 256;

__global__ void largest(int *most, const int *v)
{
	__shared__ int s[THREADS];
	unsigned tid = threadIdx.x;
	s[tid] = v[blockIdx.x * THREADS + tid];
	__syncthreads();
	for (unsigned d = THREADS / 2; d >= 64; d /= 2) {
		if (tid < d && s[tid] < s[tid + d])
			s[tid] = s[tid + d];
		__syncthreads();
	}
	if (tid < 32) {
		int x = max(s[tid], s[tid + 32]);
		for (int d = 16; d > 0; d /= 2)
			x = max(x, __shfl_down_sync(0xffffffff, x, d));
		if (tid == 0)
			most[blockIdx.x] = x;
	}
}
