// one atomic per warp
__global__ void even(unsigned *counts, const unsigned *words)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
int f = blockIdx.x * 1024, c = 0; for (int k = 0; k < 4; k++) c += words[f + 256 * k + tid] % 2 == 0; c = __reduce_add_sync(~0u, c); if (tid % 32 == 0) atomicAdd(&counts[blockIdx.x], c);
}
