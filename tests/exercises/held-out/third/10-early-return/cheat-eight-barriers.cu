// Shuffles do it, with a barrier that orders nothing.
__global__ void shifted(int *out, const int *in, int n)
{
	int tid = threadIdx.x, i = blockIdx.x * 256 + tid;
	int own = i < n ? in[i] : 0, next = __shfl_down_sync(~0u, own, 1);
	if (tid % 32 == 31)
		next = tid < 255 && i + 1 < n ? in[i + 1] : 0;
	__syncthreads();
	if (i < n)
		out[i] = tid < 255 && i + 1 < n ? next : 0;
}
