// Reading and writing are conditional, the barrier is not.
//
// Blocks of 256 threads, at least n threads in the grid. The last thread of each
// block, and the last thread of all, have no neighbor and write 0.
constexpr int THREADS = 256;

__global__ void shifted(int *out, const int *in, int n)
{
	__shared__ int words[THREADS];
	int tid = threadIdx.x, i = blockIdx.x * THREADS + tid;
	words[tid] = i < n ? in[i] : 0;
	__syncthreads();
	if (i < n) {
		bool has_next = tid + 1 < THREADS && i + 1 < n;
		out[i] = has_next ? words[tid + 1] : 0;
	}
}
