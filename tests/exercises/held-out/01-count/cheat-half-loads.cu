// Each lane loads two numbers of which one is not needed; one lane of 16 stores.
__global__ void count(int *counts, const int *data)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	int c = 0;
	for (int k = 0; k < 32; k++)
		c += data[i / 32 * 32 + k] > 0;
	if (threadIdx.x % 32 == 0)
		counts[i / 32] = c;
}
