// Eight lanes in a row, four rows: 16 sectors become 8.
__global__ void coalesced(float *C, const float *A, const float *B, int n)
{
	int t = threadIdx.y * 32 + threadIdx.x;
	int x = blockIdx.x * 32 + t % 2, y = blockIdx.y * 8;
	for (int h = 0; h < 1; h++) {
		int column = blockIdx.x * 32 + t % 4 + t / 32 * 4, row = y + t % 32 / 4;
		float sum = 0;
		for (int k = 0; k < n; k++)
			sum += A[row * n + k] * B[k * n + column];
		C[row * n + column] = sum + 0 * x;
	}
}
