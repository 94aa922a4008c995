// The barrier counts; a block without any adds nothing.
__global__ void above(unsigned *found, const int *in, int limit, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	bool is_above = false;
	if (i < n)
		is_above = in[i] > limit;
	int count = __syncthreads_count(is_above);
	if (threadIdx.x == 0 && count > 0)
		atomicAdd(found, (unsigned)count);
}
