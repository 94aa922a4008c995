// honest: ballots per warp, eight counts in shared memory, and a sum
__global__ void above(unsigned *found, const int *in, int limit, int n)
{
	__shared__ unsigned part[8];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned votes = __ballot_sync(0xffffffff, i < n && in[i] > limit);
	if (threadIdx.x % 32 == 0)
		part[threadIdx.x / 32] = __popc(votes);
	__syncthreads();
	if (threadIdx.x == 0) {
		unsigned sum = 0;
		for (int w = 0; w < 8; w++)
			sum += part[w];
		atomicAdd(found, sum);
	}
}
