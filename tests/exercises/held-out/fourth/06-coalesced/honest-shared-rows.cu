// Tiles in shared memory: 8 rows of A, 32 of B.
__global__ void coalesced(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[8][32], Bs[32][32];
	int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 8 + ty, column = blockIdx.x * 32 + tx;
	float sum = 0;
	for (int t = 0; t < n; t += 32) {
		As[ty][tx] = A[row * n + t + tx];
		for (int i = ty; i < 32; i += 8)
			Bs[i][tx] = B[(t + i) * n + column];
		__syncthreads();
		for (int k = 0; k < 32; k++)
			sum += As[ty][k] * Bs[k][tx];
		__syncthreads();
	}
	C[row * n + column] = sum;
}
