// The conditions are computed first, the barrier stands alone, and only accesses depend on them.
__global__ void shifted(int *out, const int *in, int n)
{
	__shared__ int words[256 + 1];
	const unsigned tid = threadIdx.x;
	const int i = blockIdx.x * blockDim.x + tid;
	const bool exists = i < n;
	if (exists)
		words[tid] = in[i];
	else
		words[tid] = 0;
	if (tid == 0)
		words[256] = 0;
	__syncthreads();
	if (exists)
		out[i] = words[tid + 1];
}
