// honest: shuffles in the warps, then in the first warp
__device__ unsigned warp_sum(unsigned x)
{
	for (int d = 16; d > 0; d /= 2)
		x += __shfl_down_sync(0xffffffff, x, d);
	return x;
}

__global__ void above(unsigned *found, const int *in, int limit, int n)
{
	__shared__ unsigned part[8];
	unsigned tid = threadIdx.x;
	int i = blockIdx.x * blockDim.x + tid;
	unsigned x = warp_sum(i < n ? in[i] > limit : 0);
	if (tid % 32 == 0)
		part[tid / 32] = x;
	__syncthreads();
	if (tid < 32) {
		x = warp_sum(tid < 8 ? part[tid] : 0);
		if (tid == 0)
			atomicAdd(found, x);
	}
}
