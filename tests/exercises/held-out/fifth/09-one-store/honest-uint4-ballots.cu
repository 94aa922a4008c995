// Four neighboring words per thread; ballots count them by warp, and one thread adds the warps' counts and stores.
__global__ void even(unsigned *counts, const unsigned *words)
{
	__shared__ unsigned parts[8];
	const uint4 w = reinterpret_cast<const uint4 *>(words)[blockIdx.x * 256 + threadIdx.x];
	const unsigned sum = __popc(__ballot_sync(~0u, ~w.x & 1)) + __popc(__ballot_sync(~0u, ~w.y & 1))
		+ __popc(__ballot_sync(~0u, ~w.z & 1)) + __popc(__ballot_sync(~0u, ~w.w & 1));
	if (threadIdx.x % 32 == 0)
		parts[threadIdx.x / 32] = sum;
	__syncthreads();
	if (threadIdx.x == 0) {
		unsigned all = 0;
#pragma unroll
		for (int k = 0; k < 8; k++)
			all += parts[k];
		counts[blockIdx.x] = all;
	}
}
