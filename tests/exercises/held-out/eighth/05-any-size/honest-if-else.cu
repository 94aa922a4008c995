// honest: an if and an else for the first store, and the tree with the barrier first
constexpr unsigned THREADS = 256;

__global__ void any_size(int *sums, const int *v, int n)
{
	__shared__ int s[THREADS];
	const unsigned tid = threadIdx.x;
	const unsigned i = tid + blockDim.x * blockIdx.x;
	if (i < (unsigned)n)
		s[tid] = v[i];
	else
		s[tid] = 0;
	for (unsigned d = THREADS >> 1; d != 0; d >>= 1) {
		__syncthreads();
		if (tid >= d)
			continue;
		s[tid] = s[tid] + s[tid + d];
	}
	if (tid == 0)
		sums[blockIdx.x] = s[0];
}
