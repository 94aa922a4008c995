// A butterfly, and pointers instead of indices.
__global__ void product(float *C, const float *A, const float *B, int n)
{
	const float *a = A + blockIdx.y * n + threadIdx.x, *end = A + (blockIdx.y + 1) * n;
	const float *b = B + threadIdx.x * n + blockIdx.x;
	float sum = 0;
	for (; a < end; a += 32, b += 32 * n)
		sum += *a * *b;
#pragma unroll
	for (int mask = 1; mask < 32; mask *= 2)
		sum += __shfl_xor_sync(~0u, sum, mask);
	if (threadIdx.x == 31)
		C[blockIdx.y * n + blockIdx.x] = sum;
}
