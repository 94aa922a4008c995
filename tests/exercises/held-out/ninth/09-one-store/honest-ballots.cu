// honest: ballots per warp, eight words of shared memory, thread 0 adds them
__global__ void even(unsigned *counts, const unsigned *words)
{
	__shared__ unsigned warps[8];
	const unsigned *w = words + 1024 * blockIdx.x + threadIdx.x;
	unsigned n = 0;
#pragma unroll
	for (int k = 0; k < 1024; k += 256)
		n += __popc(__ballot_sync(~0u, ~w[k] & 1));
	if (threadIdx.x % 32 == 0)
		warps[threadIdx.x / 32] = n;
	__syncthreads();
	if (threadIdx.x != 0)
		return;
	for (int i = 1; i < 8; i++)
		n += warps[i];
	counts[blockIdx.x] = n;
}
