// honest: to the left before the barrier; the return comes after it
constexpr int THREADS = 256;

__global__ void shifted(int *out, const int *in, int n)
{
	__shared__ int next[THREADS];
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
	bool exists = i < n;
	if (exists && tid > 0)
		next[tid - 1] = in[i];
	__syncthreads();
	if (!exists)
		return;
	if (tid == THREADS - 1 || i == n - 1)
		out[i] = 0;
	else
		out[i] = next[tid];
}
