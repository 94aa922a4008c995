// No tile: each thread reads its row from global memory.
__global__ void row_sums(float *sums, const float *in)
{
	int row = blockIdx.x * 32 + threadIdx.x;
	float sum = 0;
	for (int k = 0; k < 32; k++)
		sum += in[row * 32 + k];
	sums[row] = sum;
}
