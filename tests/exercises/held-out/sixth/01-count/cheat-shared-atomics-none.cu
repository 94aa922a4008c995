__global__ void count(int *counts, const int *data)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	int sum = data[i] > 0;
	for (int d = 16; d > 0; d /= 2)
		sum += __shfl_xor_sync(~0u, sum, d);
	if (threadIdx.x % 32 == 0)
		counts[i / 32] = sum;
}
