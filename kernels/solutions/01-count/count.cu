// The ballot has a bit for each lane whose predicate is true. Counting the bits
// is one instruction, and every lane gets the result.
//
// Blocks of 256 threads; one count per warp.
__global__ void count(int *counts, const int *data)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned votes = __ballot_sync(0xffffffff, data[i] > 0);
	if (threadIdx.x % 32 == 0)
		counts[i / 32] = __popc(votes);
}
