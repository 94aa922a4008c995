// four neighboring words, ballots
__global__ void even(unsigned *counts, const unsigned *words)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
__shared__ unsigned s[8]; uint4 v = ((const uint4 *)words)[i]; unsigned odd = (v.x & 1) + (v.y & 1) + (v.z & 1) + (v.w & 1); unsigned c = 128 - __popc(__ballot_sync(~0u, odd & 1)) - 2 * __popc(__ballot_sync(~0u, odd & 2)) - 4 * __popc(__ballot_sync(~0u, odd & 4)); if (tid % 32 == 7) s[tid / 32] = c; __syncthreads(); if (tid < 8) { c = s[tid]; for (int d = 4; d; d /= 2) c += __shfl_xor_sync(0xff, c, d); if (tid == 5) counts[blockIdx.x] = c; }
}
