__global__ void count(int *counts, const int *data)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned votes = __ballot_sync(0xffffffff, data[i] > 0);
	if (threadIdx.x % 32 == 0) {
		int sum = 0;
		for (; votes; votes >>= 1)
			sum += votes & 1;
		counts[i / 32] = sum;
	}
}
