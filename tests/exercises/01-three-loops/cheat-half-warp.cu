// Sixteen lanes sum, the others idle.
__global__ void product(float *C, const float *A, const float *B, int n)
{
	int j = blockIdx.x, i = blockIdx.y;
	float sum = 0;
	if (threadIdx.x < 16)
		for (int k = threadIdx.x; k < n; k += 16)
			sum += A[i * n + k] * B[k * n + j];
	for (int d = 8; d; d /= 2)
		sum += __shfl_xor_sync(~0u, sum, d);
	if (threadIdx.x == 0)
		C[i * n + j] = sum;
}
