// One load of 16 bytes per thread; ballots, and the warps' sums in shared memory.
__global__ void even(unsigned *counts, const unsigned *words)
{
	__shared__ unsigned warps[8];
	uint4 w = ((const uint4 *)words)[blockIdx.x * 256 + threadIdx.x];
	unsigned sum = __popc(__ballot_sync(~0u, !(w.x & 1))) + __popc(__ballot_sync(~0u, !(w.y & 1)))
		+ __popc(__ballot_sync(~0u, !(w.z & 1))) + __popc(__ballot_sync(~0u, !(w.w & 1)));
	if (threadIdx.x % 32 == 0)
		warps[threadIdx.x / 32] = sum;
	__syncthreads();
	if (threadIdx.x == 0) {
		for (int k = 1; k < 8; k++)
			sum += warps[k];
		counts[blockIdx.x] = sum;
	}
}
