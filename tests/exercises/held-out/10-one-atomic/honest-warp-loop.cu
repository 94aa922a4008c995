__global__ void above(unsigned *found, const int *in, int limit, int n)
{
	__shared__ unsigned total;
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (threadIdx.x == 0)
		total = 0;
	__syncthreads();
	unsigned b = __ballot_sync(~0u, i < n && in[i] > limit);
	if (threadIdx.x % 32 == 0)
		atomicAdd(&total, __popc(b));
	__syncthreads();
	if (threadIdx.x == 0)
		atomicAdd(found, total);
}
