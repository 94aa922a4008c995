// Threads beyond the end load the last element, and nothing of theirs is used.
__global__ void shifted(int *out, const int *in, int n)
{
	__shared__ int words[256];
	const int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
	words[tid] = in[min(i, n - 1)];
	__syncthreads();
	if (i < n)
		out[i] = tid == 255 || i == n - 1 ? 0 : words[tid + 1];
}
