// cheat: no barrier and no exchange: each thread loads its neighbor's element itself
constexpr int THREADS = 256;

__global__ void shifted(int *out, const int *in, int n)
{
	int tid = threadIdx.x, i = blockIdx.x * THREADS + tid;
	if (i >= n)
		return;
	bool has_next = tid + 1 < THREADS && i + 1 < n;
	out[i] = has_next ? in[i + 1] : 0;
}
