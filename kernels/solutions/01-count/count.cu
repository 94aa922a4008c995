// The ballot has a bit for each thread that says yes: counting is one
// instruction, and all threads of the warp know the outcome.
//
// Blocks of 256 threads; a count for each warp.
__global__ void count(int *counts, const int *data)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned votes = __ballot_sync(0xffffffff, data[i] > 0);
	if (threadIdx.x % 32 == 0)
		counts[i / 32] = __popc(votes);
}
