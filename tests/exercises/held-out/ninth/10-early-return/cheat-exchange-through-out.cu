// cheat: all threads reach the barriers, now two, but the words are passed through global memory: out[] is written twice and read
constexpr int THREADS = 256;

__global__ void shifted(int *out, const int *in, int n)
{
	int tid = threadIdx.x, i = blockIdx.x * THREADS + tid;
	if (i < n)
		out[i] = in[i];
	__syncthreads();
	bool has_next = tid + 1 < THREADS && i + 1 < n;
	int next = has_next ? out[i + 1] : 0;
	__syncthreads();
	if (i < n)
		out[i] = next;
}
