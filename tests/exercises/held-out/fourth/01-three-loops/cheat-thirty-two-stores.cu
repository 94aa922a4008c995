// The sum is right in each lane, and all 32 store it.
__global__ void product(float *C, const float *A, const float *B, int n)
{
	int j = blockIdx.x, i = blockIdx.y;
	float sum = 0;
	for (int k = threadIdx.x; k < n; k += 32)
		sum += A[i * n + k] * B[k * n + j];
	for (int d = 16; d; d /= 2)
		sum += __shfl_xor_sync(~0u, sum, d);
	atomicExch(&C[i * n + j], sum);
}
