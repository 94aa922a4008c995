// One atomic per warp: eight per block cross the link.
__global__ void even(unsigned *counts, const unsigned *words)
{
	const unsigned *from = words + blockIdx.x * 1024 + threadIdx.x;
	unsigned sum = 0;
	for (int k = 0; k < 1024; k += 256)
		sum += __popc(__ballot_sync(~0u, from[k] % 2 == 0));
	if (threadIdx.x % 32 == 0)
		atomicAdd(&counts[blockIdx.x], sum);
}
