// An extra word of zero at the end of the block.
__global__ void shifted(int *out, const int *in, int n)
{
	__shared__ int words[257];
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
	words[tid] = i < n ? in[i] : 0;
	if (tid == 0)
		words[256] = 0;
	__syncthreads();
	if (i < n)
		out[i] = words[tid + 1];
}
