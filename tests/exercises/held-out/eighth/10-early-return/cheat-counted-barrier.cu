// cheat: warps without an element still return early; the barrier is told how many threads are left
constexpr int THREADS = 256;

__global__ void shifted(int *out, const int *in, int n)
{
	__shared__ int words[THREADS];
	int tid = threadIdx.x, i = blockIdx.x * THREADS + tid;
	if (i - tid % 32 >= n)
		return;
	int warps = min(THREADS, n - (int)blockIdx.x * THREADS + 31) / 32;
	words[tid] = i < n ? in[i] : 0;
	asm volatile("barrier.sync 1, %0;" :: "r"(32 * warps) : "memory");
	bool has_next = tid + 1 < THREADS && i + 1 < n;
	if (i < n)
		out[i] = has_next ? words[tid + 1] : 0;
}
