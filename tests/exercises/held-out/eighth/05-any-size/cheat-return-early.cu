// cheat: threads without an element leave before the barriers of the others, after clearing their word
constexpr int THREADS = 256;

__global__ void any_size(int *sums, const int *v, int n)
{
	__shared__ int s[THREADS];
	int tid = threadIdx.x, i = blockIdx.x * THREADS + tid;
	if (tid == 0)
		sums[blockIdx.x] = 0;
	s[tid] = 0;
	if (i >= n)
		return;
	s[tid] = v[i];
	__syncthreads();
	for (int d = THREADS / 2; d > 0; d /= 2) {
		if (tid < d)
			s[tid] += s[tid + d];
		__syncthreads();
	}
	if (tid == 0)
		sums[blockIdx.x] = s[0];
}
