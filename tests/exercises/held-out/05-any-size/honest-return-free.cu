__global__ void any_size(int *sums, const int *v, int n)
{
	extern __shared__ int unused[];
	__shared__ int s[256];
	const int tid = threadIdx.x, first = blockIdx.x * 256;
	const int left = n - first; // elements that exist from the block's first one on

	int mine = 0;
	if (tid < left)
		mine = v[first + tid];
	s[tid] = mine;
	__syncthreads();
#pragma unroll
	for (int d = 128; d >= 1; d >>= 1) {
		if (tid < d)
			s[tid] = mine = mine + s[tid + d];
		__syncthreads();
	}
	if (tid == 0)
		sums[blockIdx.x] = mine;
}
