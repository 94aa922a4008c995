// Thread 0 of each block sums the block's elements.
__global__ void any_size(int *sums, const int *v, int n)
{
	if (threadIdx.x)
		return;
	int sum = 0, first = blockIdx.x * 256;
	for (int i = first; i < min(first + 256, n); i++)
		sum += v[i];
	sums[blockIdx.x] = sum;
}
