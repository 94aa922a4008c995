// A thread without an element contributes the identity element of the sum and
// takes part in everything else: its word is written and added like any other.
//
// Blocks of 256 threads; the grid has at least n threads; one sum per block.
constexpr int THREADS = 256;

__global__ void any_size(int *sums, const int *v, int n)
{
	__shared__ int s[THREADS];
	int tid = threadIdx.x;
	int i = blockIdx.x * THREADS + tid;

	s[tid] = i < n ? v[i] : 0;
	__syncthreads();
	for (int d = THREADS / 2; d > 0; d /= 2) {
		if (tid < d)
			s[tid] += s[tid + d];
		__syncthreads();
	}
	if (tid == 0)
		sums[blockIdx.x] = s[0];
}
