// A warp has 8 rows of 4 elements.
__global__ void coalesced(float *C, const float *A, const float *B, int n)
{
	int t = threadIdx.x, column = blockIdx.x * 32 + threadIdx.y * 4 + t % 4, row = blockIdx.y * 8 + t / 4;
	float sum = 0;
	for (int k = 0; k < n; k++)
		sum += A[row * n + k] * B[k * n + column];
	C[row * n + column] = sum;
}
