// cheat: two lanes do all the products, half each; the shuffles of the others add zeros
__global__ void product(float *C, const float *A, const float *B, int n)
{
	int j = blockIdx.x, i = blockIdx.y;
	float sum = 0;
	if (threadIdx.x < 2)
		for (int k = threadIdx.x; k < n; k += 2)
			sum += A[i * n + k] * B[k * n + j];
	for (int distance = 16; distance > 0; distance /= 2)
		sum += __shfl_down_sync(0xffffffff, sum, distance);
	if (threadIdx.x == 0)
		C[i * n + j] = sum;
}
