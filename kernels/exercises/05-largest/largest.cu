// Task: find the largest of 256 elements. The active threads are spread over
// all warps and selected by a modulo. Let whole warps be active or idle, and
// keep the words that they compare consecutive.
//
// Blocks of 256 threads, one element per thread; one result per block.
constexpr unsigned THREADS = 256;

__global__ void largest(int *most, const int *v)
{
	__shared__ int s[THREADS];
	unsigned tid = threadIdx.x;

	s[tid] = v[blockIdx.x * THREADS + tid];
	__syncthreads();
	for (unsigned d = 1; d < THREADS; d *= 2) {
		if (tid % (2 * d) == 0)
			s[tid] = max(s[tid], s[tid + d]);
		__syncthreads();
	}
	if (tid == 0)
		most[blockIdx.x] = s[0];
}
