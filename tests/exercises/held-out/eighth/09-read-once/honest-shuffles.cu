// honest: a reduction by shuffles in the warps, then over the eight results by every warp
__device__ unsigned warp_max(unsigned x)
{
	for (int d = 16; d > 0; d /= 2)
		x = max(x, __shfl_xor_sync(0xffffffff, x, d));
	return x;
}

__global__ void distance(unsigned *out, const unsigned *in)
{
	__shared__ unsigned part[8];
	unsigned i = blockIdx.x * 256 + threadIdx.x, lane = threadIdx.x % 32;
	unsigned word = in[i], most = warp_max(word);
	if (lane == 0)
		part[threadIdx.x / 32] = most;
	__syncthreads();
	most = warp_max(part[lane % 8]);
	out[i] = most - word;
}
