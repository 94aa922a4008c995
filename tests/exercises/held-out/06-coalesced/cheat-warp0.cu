__global__ void coalesced(float *C, const float *A, const float *B, int n)
{
	if (threadIdx.y)
		return;
	int x = blockIdx.x * 32 + threadIdx.x;
	for (int r = 0; r < 8; r++) {
		int y = blockIdx.y * 8 + r;
		float sum = 0;
		for (int k = 0; k < n; k++)
			sum += A[y * n + k] * B[k * n + x];
		C[y * n + x] = sum;
	}
}
