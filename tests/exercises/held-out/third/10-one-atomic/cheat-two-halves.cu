// Two additions of a half each.
__global__ void above(unsigned *found, const int *in, int limit, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int count = __syncthreads_count(i < n && in[i] > limit);
	if (threadIdx.x < 2)
		atomicAdd(found, (count + threadIdx.x) / 2);
}
