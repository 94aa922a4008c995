// No tile of A: broadcast loads from global memory, so no store can conflict.
__global__ void padding(float *C, const float *A, const float *B, int n)
{
	int column = blockIdx.x * 64 + threadIdx.y * 16 + threadIdx.x, row = blockIdx.y * 32;
	float sum[32] = {};
	for (int k = 0; k < n; k++) {
		float e = B[k * n + column];
#pragma unroll
		for (int i = 0; i < 32; i++)
			sum[i] += A[(row + i) * n + k] * e;
	}
#pragma unroll
	for (int i = 0; i < 32; i++)
		C[(row + i) * n + column] = sum[i];
}
