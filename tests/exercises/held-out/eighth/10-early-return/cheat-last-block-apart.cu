// cheat: only whole blocks use the barrier; in the last one threads return early and read from global memory
constexpr int THREADS = 256;

__global__ void shifted(int *out, const int *in, int n)
{
	__shared__ int words[THREADS];
	int tid = threadIdx.x, i = blockIdx.x * THREADS + tid;
	if ((blockIdx.x + 1) * THREADS > n) {
		if (i >= n)
			return;
		out[i] = i + 1 < n ? in[i + 1] : 0;
		return;
	}
	words[tid] = in[i];
	__syncthreads();
	out[i] = tid + 1 < THREADS && i + 1 < n ? words[tid + 1] : 0;
}
