// One more word of shared memory holds the 0 of the last thread, and threads beyond the end store zeros.
__global__ void shifted(int *out, const int *in, int n)
{
	__shared__ int words[257];
	int i = blockIdx.x * 256 + threadIdx.x;
	bool mine = i < n;
	words[threadIdx.x] = mine ? in[i] : 0;
	if (threadIdx.x == 0)
		words[256] = 0;
	__syncthreads();
	if (mine)
		out[i] = words[threadIdx.x + 1];
}
