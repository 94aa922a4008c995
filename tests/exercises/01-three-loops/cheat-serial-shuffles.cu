__global__ void product(float *C, const float *A, const float *B, int n)
{
	int j = blockIdx.x, i = blockIdx.y;
	float own = 0, sum = 0;
	for (int k = threadIdx.x; k < n; k += 32)
		own += A[i * n + k] * B[k * n + j];
#pragma unroll
	for (int t = 0; t < 32; t++)
		sum += __shfl_sync(~0u, own, t);
	if (threadIdx.x == 0)
		C[i * n + j] = sum;
}
