// cheat: one addition per block, after one thread has read and counted the elements of all
__global__ void above(unsigned *found, const int *in, int limit, int n)
{
	if (threadIdx.x == 0) {
		int first = blockIdx.x * blockDim.x;
		unsigned count = 0;
		for (int i = first; i < n && i < first + (int)blockDim.x; i++)
			count += in[i] > limit;
		atomicAdd(found, count);
	}
}
