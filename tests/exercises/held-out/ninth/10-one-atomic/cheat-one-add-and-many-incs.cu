// cheat: one atomicAdd per block, for the first warp; all other threads use atomicInc on the same word
__global__ void above(unsigned *found, const int *in, int limit, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	bool yes = i < n && in[i] > limit;
	if (threadIdx.x < 32) {
		unsigned votes = __ballot_sync(0xffffffff, yes);
		if (threadIdx.x == 0)
			atomicAdd(found, __popc(votes));
	} else if (yes)
		atomicInc(found, 0xffffffff);
}
