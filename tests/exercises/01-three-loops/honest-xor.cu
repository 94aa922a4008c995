// A butterfly of shuffles: all lanes have the sum.
__global__ void product(float *C, const float *A, const float *B, int n)
{
	float sum = 0;
	for (int k = threadIdx.x; k < n; k += warpSize)
		sum = fmaf(A[blockIdx.y * n + k], B[k * n + blockIdx.x], sum);
	for (int mask = 1; mask < 32; mask *= 2)
		sum += __shfl_xor_sync(0xffffffff, sum, mask);
	if (threadIdx.x == 0)
		C[blockIdx.y * n + blockIdx.x] = sum;
}
