// A vote whose answer is not used; atomics count.
__global__ void count(int *counts, const int *data)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned all = __ballot_sync(~0u, 1);
	if (i % 32 == 0)
		counts[i / 32] = all ? 0 : 1;
	__syncwarp();
	if (data[i] > 0)
		atomicAdd(&counts[i / 32], 1);
}
