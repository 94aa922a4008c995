__global__ void shifted(int *out, const int *in, int n)
{
	__shared__ int words[256 + 1];
	const int tid = threadIdx.x;
	const int i = blockIdx.x * 256 + tid;
	if (tid == 0)
		words[256] = 0;
	words[tid] = i < n ? in[i] : 0;
	__syncthreads();
	if (i < n)
		out[i] = words[tid + 1];
}
