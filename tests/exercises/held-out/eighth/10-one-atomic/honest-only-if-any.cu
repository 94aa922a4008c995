// honest: skips the addition of blocks that have found nothing, and the last thread adds
__global__ void above(unsigned *found, const int *in, int limit, int n)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	bool hit = false;
	if (i < n)
		hit = in[i] > limit;
	const unsigned hits = __syncthreads_count(hit);
	if (threadIdx.x == blockDim.x - 1 && hits != 0)
		atomicAdd(found, hits);
}
