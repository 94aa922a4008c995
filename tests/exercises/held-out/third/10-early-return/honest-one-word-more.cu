// A word past the end is zero, and no thread asks.
constexpr int THREADS = 256;

__global__ void shifted(int *out, const int *in, int n)
{
	__shared__ int words[THREADS + 1];
	int tid = threadIdx.x, i = blockIdx.x * THREADS + tid;
	words[tid] = i < n ? in[i] : 0;
	if (tid == 0)
		words[THREADS] = 0;
	__syncthreads();
	if (i < n) {
		out[i] = words[tid + 1];
	}
}
