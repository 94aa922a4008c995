// cheat: threads beyond the end still return early; in that block one thread does the work of all, without a barrier
constexpr int THREADS = 256;

__global__ void shifted(int *out, const int *in, int n)
{
	__shared__ int words[THREADS];
	int tid = threadIdx.x, i = blockIdx.x * THREADS + tid;
	if ((blockIdx.x + 1) * THREADS > n) {
		if (tid == 0)
			for (int k = i; k < n; k++)
				out[k] = k + 1 < n ? in[k + 1] : 0;
		return;
	}
	words[tid] = in[i];
	__syncthreads();
	bool has_next = tid + 1 < THREADS && i + 1 < n;
	out[i] = has_next ? words[tid + 1] : 0;
}
