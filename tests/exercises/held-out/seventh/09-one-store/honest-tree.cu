// a tree of the threads' counts
__global__ void even(unsigned *counts, const unsigned *words)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
__shared__ int s[256]; int f = blockIdx.x * 1024, c = 0; for (int k = 0; k < 4; k++) c += words[f + 256 * k + tid] % 2 == 0; s[tid] = c; for (int d = 128; d; d /= 2) { __syncthreads(); if (tid < d) s[tid] += s[tid + d]; } if (!tid) counts[blockIdx.x] = s[0];
}
