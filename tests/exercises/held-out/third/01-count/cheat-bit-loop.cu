// One lane counts the bits of the vote in a loop.
__global__ void count(int *counts, const int *data)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned votes = __ballot_sync(0xffffffff, data[i] > 0);
	if (threadIdx.x % 32 == 0) {
		int sum = 0;
#pragma unroll 1
		for (int k = 0; k < 32; k++)
			sum += votes >> k & 1;
		counts[i / 32] = sum;
	}
}
