// Two barriers, one for the threads with an element and one for those without: not the same barrier for all.
__global__ void shifted(int *out, const int *in, int n)
{
	__shared__ int words[256];
	int tid = threadIdx.x, i = blockIdx.x * 256 + tid;
	if (i >= n) {
		__syncthreads();
		return;
	}
	words[tid] = in[i];
	__syncthreads();
	out[i] = tid + 1 < 256 && i + 1 < n ? words[tid + 1] : 0;
}
