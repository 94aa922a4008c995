// honest: one more word, a zero, behind the last; all threads write theirs
constexpr int THREADS = 256;

__global__ void shifted(int *out, const int *in, int n)
{
	__shared__ int words[THREADS + 1];
	const int tid = threadIdx.x, i = blockIdx.x * THREADS + tid;
	int own = 0;
	if (i < n)
		own = in[i];
	words[tid] = own;
	if (tid == 0)
		words[THREADS] = 0;
	__syncthreads();
	if (i < n)
		out[i] = words[tid + 1];
}
