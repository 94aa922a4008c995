// cheat: seven warps go through the tree, the last 32 words are read over the link by all threads
constexpr int THREADS = 256;
constexpr int TREE = 224;

__global__ void distance(unsigned *out, const unsigned *in)
{
	__shared__ unsigned s[THREADS];
	int tid = threadIdx.x, first = blockIdx.x * THREADS, i = first + tid;
	unsigned word = in[i];
	s[tid] = tid < TREE ? word : 0;
	for (int d = THREADS / 2; d > 0; d /= 2) {
		__syncthreads();
		if (tid < d)
			s[tid] = max(s[tid], s[tid + d]);
	}
	__syncthreads();
	unsigned most = s[0];
	for (int k = TREE; k < THREADS; k++)
		most = max(most, in[first + k]);
	out[i] = most - word;
}
