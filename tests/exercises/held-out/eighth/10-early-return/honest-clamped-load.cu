// honest: threads past the end load the last element again and store nothing
constexpr int THREADS = 256;

__global__ void shifted(int *out, const int *in, int n)
{
	__shared__ int words[THREADS];
	unsigned tid = threadIdx.x, i = blockIdx.x * THREADS + tid, last = n - 1;
	words[tid] = in[min(i, last)];
	__syncthreads();
	int next = words[(tid + 1) % THREADS];
	if (i <= last)
		out[i] = tid == THREADS - 1 || i == last ? 0 : next;
}
