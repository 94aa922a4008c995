// The neighbor comes from global memory, shared memory is for show.
__global__ void shifted(int *out, const int *in, int n)
{
	__shared__ int words[256];
	int tid = threadIdx.x, i = blockIdx.x * 256 + tid;
	bool has_next = tid + 1 < 256 && i + 1 < n;
	words[tid] = has_next ? in[i + 1] : 0;
	__syncthreads();
	if (i < n)
		out[i] = words[tid];
}
