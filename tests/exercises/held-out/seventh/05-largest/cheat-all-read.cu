// each thread compares with all words, the largest one writes
constexpr unsigned THREADS = 256;
__global__ void largest(int *most, const int *v)
{
	__shared__ int s[THREADS];
	unsigned tid = threadIdx.x;
	s[tid] = v[blockIdx.x * THREADS + tid];
	__syncthreads();
	int m = s[0];
	for (int k = 1; k < 256; k++) m = max(m, s[k]);
	if (tid == 0) most[blockIdx.x] = m;
}
