// cheat: half of the products are shared out, the other half computed by all 32 threads
__global__ void product(float *C, const float *A, const float *B, int n)
{
	int j = blockIdx.x, i = blockIdx.y;
	float sum = 0;
	int half = n / 2;
	for (int k = threadIdx.x; k < half; k += 32)
		sum += A[i * n + k] * B[k * n + j];
	for (int d = 16; d > 0; d /= 2)
		sum += __shfl_down_sync(0xffffffff, sum, d);
	for (int k = half; k < n; k++)
		sum += A[i * n + k] * B[k * n + j];
	if (threadIdx.x == 0)
		C[i * n + j] = sum;
}
