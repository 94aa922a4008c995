// honest: walks through a row of A and a column of B with pointers
__global__ void coalesced(float *C, const float *A, const float *B, int n)
{
	const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
	const float *a = A + y * n, *b = B + x;
	float sum = 0;
	for (const float *end = a + n; a < end; ++a, b += n)
		sum = fmaf(*a, *b, sum);
	C[y * n + x] = sum;
}
