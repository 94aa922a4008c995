// The words are shifted when they are written.
constexpr int THREADS = 256;

__global__ void shifted(int *out, const int *in, int n)
{
	__shared__ int words[THREADS];
	int tid = threadIdx.x, i = blockIdx.x * THREADS + tid;
	if (tid > 0)
		words[tid - 1] = i < n ? in[i] : 0;
	else
		words[THREADS - 1] = 0;
	__syncthreads();
	if (i < n) {
		out[i] = words[tid];
	}
}
