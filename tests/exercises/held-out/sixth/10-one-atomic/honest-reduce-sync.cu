__global__ void above(unsigned *found, const int *in, int limit, int n)
{
	__shared__ unsigned s[8];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned c = __popc(__ballot_sync(~0u, i < n && in[i] > limit));
	if (threadIdx.x % 32 == 0)
		s[threadIdx.x / 32] = c;
	__syncthreads();
	if (threadIdx.x < 32) {
		c = __reduce_add_sync(~0u, threadIdx.x < 8 ? s[threadIdx.x] : 0u);
		if (threadIdx.x == 0)
			atomicAdd(found, c);
	}
}
