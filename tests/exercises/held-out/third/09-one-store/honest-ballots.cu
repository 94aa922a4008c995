// Ballots into shared memory; the first warp adds eight words.
__global__ void even(unsigned *counts, const unsigned *words)
{
	__shared__ unsigned parts[8];
	unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32, votes = 0;
	for (int k = 0; k < 1024; k += 256)
		votes += __popc(__ballot_sync(~0u, !(words[blockIdx.x * 1024 + k + threadIdx.x] & 1)));
	if (!lane)
		parts[warp] = votes;
	__syncthreads();
	if (threadIdx.x < 8) {
		unsigned sum = parts[threadIdx.x];
		sum += __shfl_xor_sync(255, sum, 4);
		sum += __shfl_xor_sync(255, sum, 2);
		sum += __shfl_xor_sync(255, sum, 1);
		if (threadIdx.x == 0)
			counts[blockIdx.x] = sum;
	}
}
