// one addition per warp
__global__ void above(unsigned *found, const int *in, int limit, int n)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
unsigned c = __popc(__ballot_sync(~0u, i < n && in[i] > limit)); if (tid % 32 == 0) atomicAdd(found, c);
}
