// honest: one word more than threads, so that no thread is special in the block
constexpr int THREADS = 256;

__global__ void shifted(int *out, const int *in, int n)
{
	__shared__ int words[THREADS + 1];
	const int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
	const bool exists = i < n;
	words[tid] = exists ? in[i] : 0;
	if (tid == 0)
		words[THREADS] = 0;
	__syncthreads();
	if (!exists)
		return;
	out[i] = words[tid + 1];
}
