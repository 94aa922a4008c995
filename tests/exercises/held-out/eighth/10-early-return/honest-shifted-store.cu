// honest: each thread stores its element where its left neighbor looks, and the end is zeroed
constexpr int THREADS = 256;

__global__ void shifted(int *out, const int *in, int n)
{
	__shared__ int words[THREADS];
	int tid = threadIdx.x, i = blockIdx.x * THREADS + tid;
	int element = 0;
	if (i < n)
		element = in[i];
	words[tid == 0 ? THREADS - 1 : tid - 1] = tid == 0 ? 0 : element;
	__syncthreads();
	if (i < n)
		out[i] = words[tid];
}
