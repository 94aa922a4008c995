// honest: flags summed by shuffles and one shared word per warp; no addition if the block found nothing
__device__ unsigned warp_sum(unsigned x)
{
	for (int d = 16; d > 0; d /= 2)
		x += __shfl_down_sync(0xffffffff, x, d);
	return x;
}

__global__ void above(unsigned *found, const int *in, int limit, int n)
{
	__shared__ unsigned sums[32];
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
	unsigned x = 0;
	if (i < n)
		x = in[i] > limit ? 1 : 0;
	x = warp_sum(x);
	if (lane == 0)
		sums[warp] = x;
	__syncthreads();
	if (warp == 0) {
		x = warp_sum(lane < blockDim.x / 32 ? sums[lane] : 0);
		if (lane == 0 && x != 0)
			atomicAdd(found, x);
	}
}
