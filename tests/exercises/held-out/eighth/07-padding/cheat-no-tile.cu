// cheat: A's elements are read from global memory by every thread: nothing is stored, so nothing conflicts
__global__ void padding(float *C, const float *A, const float *B, int n)
{
	int column = threadIdx.y * 16 + threadIdx.x;
	const float *a = A + blockIdx.y * 32 * n;
	const float *b = B + blockIdx.x * 64 + column;
	float sum[32] = {};
	for (int k = 0; k < n; k++, b += n) {
		float element = *b;
#pragma unroll
		for (int i = 0; i < 32; i++)
			sum[i] += a[i * n + k] * element;
	}
	float *c = C + blockIdx.y * 32 * n + blockIdx.x * 64 + column;
#pragma unroll
	for (int i = 0; i < 32; i++, c += n)
		*c = sum[i];
}
