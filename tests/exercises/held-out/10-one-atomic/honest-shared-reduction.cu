__global__ void above(unsigned *found, const int *in, int limit, int n)
{
	__shared__ unsigned warps[32];
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	const bool yes = i < n && in[i] > limit;
	const unsigned votes = __ballot_sync(0xffffffff, yes);
	if (threadIdx.x % 32 == 0)
		warps[threadIdx.x / 32] = __popc(votes);
	__syncthreads();
	if (threadIdx.x == 0) {
		unsigned all = 0;
		for (int w = 0; w < blockDim.x / 32; w++)
			all += warps[w];
		atomicAdd(found, all);
	}
}
