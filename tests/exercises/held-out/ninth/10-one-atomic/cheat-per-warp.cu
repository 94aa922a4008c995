// cheat: each warp, not each block, does an addition: eight per block
__global__ void above(unsigned *found, const int *in, int limit, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned votes = __ballot_sync(0xffffffff, i < n && in[i] > limit);
	if (threadIdx.x % 32 == 0)
		atomicAdd(found, __popc(votes));
}
