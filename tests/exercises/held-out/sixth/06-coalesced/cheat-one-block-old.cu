__global__ void coalesced(float *C, const float *A, const float *B, int n)
{
	int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
	if (blockIdx.x == 0 && blockIdx.y == 0) {
		int t = threadIdx.y * 32 + threadIdx.x;
		row = t % 8;
		column = t / 8;
	}
	float sum = 0;
	for (int k = 0; k < n; k++)
		sum += A[row * n + k] * B[k * n + column];
	C[row * n + column] = sum;
}
