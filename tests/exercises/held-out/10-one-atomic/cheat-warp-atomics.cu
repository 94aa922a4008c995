// One atomic per warp.
__global__ void above(unsigned *found, const int *in, int limit, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned b = __ballot_sync(~0u, i < n && in[i] > limit);
	if (threadIdx.x % 32 == 0)
		atomicAdd(found, __popc(b));
}
