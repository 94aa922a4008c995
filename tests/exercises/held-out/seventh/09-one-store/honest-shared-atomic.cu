// one shared counter
__global__ void even(unsigned *counts, const unsigned *words)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
__shared__ unsigned s; int f = blockIdx.x * 1024, c = 0; for (int k = 0; k < 4; k++) c += words[f + 256 * k + tid] % 2 == 0; if (tid == 0) s = 0; __syncthreads(); for (int d = 16; d; d /= 2) c += __shfl_down_sync(~0u, c, d); if (tid % 32 == 0) atomicAdd(&s, (unsigned)c); __syncthreads(); if (tid == 0) counts[blockIdx.x] = s;
}
