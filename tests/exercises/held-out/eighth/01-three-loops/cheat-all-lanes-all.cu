// cheat: every lane sums the whole row by column product, and one stores: 32 times the work
__global__ void product(float *C, const float *A, const float *B, int n)
{
	int j = blockIdx.x, i = blockIdx.y;
	float sum = 0;
	for (int k = 0; k < n; k++)
		sum += A[i * n + k] * B[k * n + j];
	sum = __shfl_sync(0xffffffff, sum, 0);
	if (threadIdx.x == 0)
		C[i * n + j] = sum;
}
