// The neighbor's element is read from global memory.
__global__ void shifted(int *out, const int *in, int n)
{
	int tid = threadIdx.x, i = blockIdx.x * 256 + tid;
	if (i < n)
		out[i] = tid + 1 < 256 && i + 1 < n ? in[i + 1] : 0;
}
