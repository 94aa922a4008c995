// cheat: every 32nd block computes 32 elements with one thread each, and the other blocks leave
__global__ void product(float *C, const float *A, const float *B, int n)
{
	if (blockIdx.x % 32 != 0)
		return;
	int j = blockIdx.x + threadIdx.x, i = blockIdx.y;
	if (j >= n)
		return;
	float sum = 0;
	for (int k = 0; k < n; k++)
		sum += A[i * n + k] * B[k * n + j];
	C[i * n + j] = sum;
}
