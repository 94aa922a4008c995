// Ballots, and the sum of the warps' counts by shuffles.
__global__ void above(unsigned *found, const int *in, int limit, int n)
{
	__shared__ unsigned warps[32];
	const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
	const unsigned votes = __ballot_sync(0xffffffff, i < n && in[i] > limit);
	if (lane == 0)
		warps[threadIdx.x / 32] = __popc(votes);
	__syncthreads();
	if (threadIdx.x < 32) {
		unsigned sum = lane < blockDim.x / 32 ? warps[lane] : 0;
		for (int d = 16; d; d /= 2)
			sum += __shfl_down_sync(0xffffffff, sum, d);
		if (lane == 0)
			atomicAdd(found, sum);
	}
}
