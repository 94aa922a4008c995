// a vote, then a loop over 32 lanes that the compiler cannot recognize
__global__ void count(int *counts, const int *data)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned b = __ballot_sync(~0u, data[i] > 0);
	if (i % 32 == 0) {
		int sum = 0;
#pragma unroll 1
		for (int lane = 0; lane < 32; lane++) sum += b >> lane & 1;
		counts[i / 32] = sum;
	}
}
