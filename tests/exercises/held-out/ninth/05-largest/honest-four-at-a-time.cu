// honest: a tree with four children per node: 64, 16, 4 and 1 threads
constexpr unsigned THREADS = 256;

__global__ void largest(int *most, const int *v)
{
	__shared__ int s[THREADS];
	const unsigned tid = threadIdx.x;

	s[tid] = v[blockIdx.x * THREADS + tid];
#pragma unroll
	for (unsigned quarter = THREADS / 4; quarter > 0; quarter >>= 2) {
		__syncthreads();
		if (tid < quarter) {
			int a = max(s[tid], s[tid + quarter]);
			int b = max(s[tid + 2 * quarter], s[tid + 3 * quarter]);
			s[tid] = a > b ? a : b;
		}
	}
	if (tid == 0)
		most[blockIdx.x] = s[0];
}
