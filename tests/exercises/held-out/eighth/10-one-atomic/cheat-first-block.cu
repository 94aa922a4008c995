// cheat: only one block works: it counts the whole vector and adds once
__global__ void above(unsigned *found, const int *in, int limit, int n)
{
	if (blockIdx.x != 0)
		return;
	unsigned count = 0;
	for (int first = 0; first < n; first += blockDim.x) {
		int i = first + threadIdx.x;
		count += __syncthreads_count(i < n && in[i] > limit);
	}
	if (threadIdx.x == 0)
		atomicAdd(found, count);
}
