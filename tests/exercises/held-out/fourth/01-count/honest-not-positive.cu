// Counts the lanes that vote no; the last lane stores.
__global__ void count(int *counts, const int *data)
{
	const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	const unsigned no = __ballot_sync(~0u, data[i] < 1);
	if ((threadIdx.x & 31) == 31)
		counts[i >> 5] = 32 - __popc(no);
}
