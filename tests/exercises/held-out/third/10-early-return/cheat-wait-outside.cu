// Threads without an element have a barrier of their own.
constexpr int THREADS = 256;

__global__ void shifted(int *out, const int *in, int n)
{
	__shared__ int words[THREADS];
	int tid = threadIdx.x, i = blockIdx.x * THREADS + tid;
	if (i >= n)
	{
		__syncthreads();
		return;
	}
	words[tid] = in[i];
	__syncthreads();
	bool has_next = tid + 1 < THREADS && i + 1 < n;
	out[i] = has_next ? words[tid + 1] : 0;
}
