// k from the end, with fmaf.
__global__ void coalesced(float *__restrict__ C, const float *__restrict__ A, const float *__restrict__ B, int n)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	float sum = 0;
#pragma unroll 8
	for (int k = n - 1; k >= 0; k--)
		sum = fmaf(A[y * n + k], B[k * n + x], sum);
	C[y * n + x] = sum;
}
