// A vote whether there is any, then the count.
__global__ void count(int *counts, const int *data)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	int p = data[i] > 0, n = 0;
	if (__any_sync(0xffffffff, p))
		n = __popc(__ballot_sync(0xffffffff, p));
	if (!(threadIdx.x & 31))
		counts[i >> 5] = n;
}
