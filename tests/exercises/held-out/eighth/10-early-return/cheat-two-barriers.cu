// cheat: threads without an element wait at a barrier of their own, in the branch, and then return
constexpr int THREADS = 256;

__global__ void shifted(int *out, const int *in, int n)
{
	__shared__ int words[THREADS];
	int tid = threadIdx.x, i = blockIdx.x * THREADS + tid;
	if (i >= n) {
		asm volatile("barrier.sync 0;" ::: "memory");
		return;
	}
	words[tid] = in[i];
	asm volatile("barrier.sync 0;" ::: "memory");
	bool has_next = tid + 1 < THREADS && i + 1 < n;
	out[i] = has_next ? words[tid + 1] : 0;
}
