// Each thread loads its word once: it keeps it in a register and stores a copy in
// shared memory, where the block finds the maximum.
constexpr int THREADS = 256;

__global__ void distance(unsigned *out, const unsigned *in)
{
	__shared__ unsigned s[THREADS];
	int tid = threadIdx.x;
	int i = blockIdx.x * THREADS + tid;

	unsigned word = in[i];
	s[tid] = word;
	for (int d = THREADS / 2; d > 0; d /= 2) {
		__syncthreads();
		if (tid < d)
			s[tid] = max(s[tid], s[tid + d]);
	}
	__syncthreads();
	out[i] = s[0] - word;
}
