// A flag says whether there is an element; the barrier comes for all.
__global__ void shifted(int *out, const int *in, int n)
{
	__shared__ int words[256];
	int tid = threadIdx.x, i = blockIdx.x * 256 + tid;
	bool mine = i < n;
	if (mine)
		words[tid] = in[i];
	__syncthreads();
	if (mine)
		out[i] = tid == 255 || i == n - 1 ? 0 : words[tid + 1];
}
