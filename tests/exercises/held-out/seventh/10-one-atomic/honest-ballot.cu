// ballots and a shared array of warps
__global__ void above(unsigned *found, const int *in, int limit, int n)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
__shared__ unsigned s[32]; unsigned c = __popc(__ballot_sync(~0u, i < n && in[i] > limit)); if (tid % 32 == 0) s[tid / 32] = c; __syncthreads(); if (tid < 32) { c = tid < blockDim.x / 32 ? s[tid] : 0; for (int d = 16; d; d /= 2) c += __shfl_xor_sync(~0u, c, d); if (tid == 0 && c) atomicAdd(found, c); }
}
