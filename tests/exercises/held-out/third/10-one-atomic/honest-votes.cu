// Votes per warp, a shared sum, one addition if there is something to add.
__global__ void above(unsigned *found, const int *in, int limit, int n)
{
	__shared__ unsigned sums[32];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	bool hit = false;
	if (i < n)
		hit = in[i] > limit;
	unsigned votes = __ballot_sync(~0u, hit);
	if (threadIdx.x % 32 == 0)
		sums[threadIdx.x / 32] = __popc(votes);
	__syncthreads();
	if (threadIdx.x == 0) {
		unsigned sum = 0;
		for (int w = 0; w < blockDim.x / 32; w++)
			sum += sums[w];
		if (sum)
			atomicAdd(found, sum);
	}
}
