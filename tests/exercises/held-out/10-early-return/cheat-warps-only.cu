// A shuffle within warps; warp edges from global memory; the barrier is decoration.
__global__ void shifted(int *out, const int *in, int n)
{
	int t = threadIdx.x, i = blockIdx.x * 256 + t;
	int x = i < n ? in[i] : 0;
	__syncthreads();
	int y = __shfl_down_sync(~0u, x, 1);
	if (t % 32 == 31 && t < 255 && i + 1 < n)
		y = in[i + 1];
	if (i < n)
		out[i] = t < 255 && i + 1 < n ? y : 0;
}
