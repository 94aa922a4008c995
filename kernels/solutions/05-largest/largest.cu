// The first half of the threads compares its words with those of the second
// half, then the first quarter, ...: consecutive threads, consecutive words.
//
// Blocks of 256 threads, one element per thread; one result per block.
constexpr unsigned THREADS = 256;

__global__ void largest(int *most, const int *v)
{
	__shared__ int s[THREADS];
	unsigned tid = threadIdx.x;

	s[tid] = v[blockIdx.x * THREADS + tid];
	__syncthreads();
	for (unsigned d = THREADS / 2; d > 0; d /= 2) {
		if (tid < d)
			s[tid] = max(s[tid], s[tid + d]);
		__syncthreads();
	}
	if (tid == 0)
		most[blockIdx.x] = s[0];
}
