// Two sums per thread, a guard on the odd end, then a butterfly; the last lane stores.
__global__ void product(float *C, const float *A, const float *B, int n)
{
	const int j = blockIdx.x, i = blockIdx.y;
	float even = 0.0f, odd = 0.0f;
	for (int k = threadIdx.x; k < n; k += 64) {
		even += A[i * n + k] * B[k * n + j];
		if (k + 32 < n)
			odd += A[i * n + k + 32] * B[(k + 32) * n + j];
	}
	float sum = even + odd;
#pragma unroll
	for (int d = 1; d < 32; d <<= 1)
		sum += __shfl_xor_sync(~0u, sum, d);
	if (threadIdx.x == 31)
		C[i * n + j] = sum;
}
