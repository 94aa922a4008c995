// cheat: every word crosses once, but one thread looks at all 256: no reduction, seven warps idle
constexpr int THREADS = 256;

__global__ void distance(unsigned *out, const unsigned *in)
{
	__shared__ unsigned s[THREADS], most;
	int tid = threadIdx.x, i = blockIdx.x * THREADS + tid;
	unsigned word = s[tid] = in[i];
	__syncthreads();
	if (tid == 0) {
		unsigned m = 0;
		for (int k = 0; k < THREADS; k++)
			m = max(m, s[k]);
		most = m;
	}
	__syncthreads();
	out[i] = most - word;
}
