__global__ void coalesced(float *__restrict__ C, const float *__restrict__ A, const float *__restrict__ B, int n)
{
	const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
	const float *a = A + (size_t)y * n, *b = B + x;
	float sum = 0;
#pragma unroll 8
	for (int k = 0; k < n; k++, b += n)
		sum = fmaf(__ldg(a + k), __ldg(b), sum);
	C[(size_t)y * n + x] = sum;
}
