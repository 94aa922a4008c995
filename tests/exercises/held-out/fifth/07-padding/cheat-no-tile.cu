// Nothing is stored to shared memory, so nothing conflicts: A is read from global memory by all threads.
__global__ void padding(float *C, const float *A, const float *B, int n)
{
	int column = threadIdx.y * 16 + threadIdx.x;
	const float *a = A + blockIdx.y * 32 * n, *b = B + blockIdx.x * 64 + column;
	float sum[32] = {};
	for (int k = 0; k < n; k++, b += n) {
		float element = *b;
#pragma unroll
		for (int i = 0; i < 32; i++)
			sum[i] += a[i * n + k] * element;
	}
#pragma unroll
	for (int i = 0; i < 32; i++)
		C[(blockIdx.y * 32 + i) * n + blockIdx.x * 64 + column] = sum[i];
}
