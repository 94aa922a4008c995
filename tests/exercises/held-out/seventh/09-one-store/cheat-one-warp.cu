// one warp counts, 32 words per lane
__global__ void even(unsigned *counts, const unsigned *words)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
if (tid < 32) { unsigned c = 0; for (int k = tid; k < 1024; k += 32) c += __popc(__ballot_sync(~0u, words[blockIdx.x * 1024 + k] % 2 == 0)); if (tid == 0) counts[blockIdx.x] = c; }
}
