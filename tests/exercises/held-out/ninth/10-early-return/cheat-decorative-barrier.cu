// cheat: all threads reach the barrier, but nothing depends on it: the neighbor comes from global memory, a second load
constexpr int THREADS = 256;

__global__ void shifted(int *out, const int *in, int n)
{
	__shared__ int words[THREADS];
	int tid = threadIdx.x, i = blockIdx.x * THREADS + tid;
	words[tid] = i < n ? in[i] : 0;
	__syncthreads();
	if (i >= n)
		return;
	bool has_next = tid + 1 < THREADS && i + 1 < n;
	out[i] = has_next ? in[i + 1] : 0;
}
