__global__ void shifted(int *out, const int *in, int n)
{
	int tid = threadIdx.x, i = blockIdx.x * 256 + tid;
	int own = i < n ? in[i] : 0;
	__syncthreads();
	int next = __shfl_down_sync(~0u, own, 1);
	if (tid % 32 == 31 && tid < 255 && i + 1 < n)
		next = in[i + 1];
	if (i < n)
		out[i] = tid < 255 && i + 1 < n ? next : 0;
}
