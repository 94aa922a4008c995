// Ballots by warp, eight counts in shared memory, and one addition by the block's first thread, if there is any.
__global__ void above(unsigned *found, const int *in, int limit, int n)
{
	__shared__ unsigned parts[32];
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	bool yes = false;
	if (i < n)
		yes = in[i] > limit;
	const unsigned votes = __ballot_sync(0xffffffffu, yes);
	if (threadIdx.x % 32 == 0)
		parts[threadIdx.x / 32] = __popc(votes);
	__syncthreads();
	if (threadIdx.x == 0) {
		unsigned sum = 0;
		for (unsigned k = 0; k < blockDim.x / 32; k++)
			sum += parts[k];
		if (sum > 0)
			atomicAdd(found, sum);
	}
}
