// pointers that walk, from the last product to the first
__global__ void coalesced(float *C, const float *A, const float *B, int n)
{
	size_t row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
	const float *a = A + row * n + n, *b = B + (size_t)n * n + column;
	float sum = 0;
	for (int k = 0; k < n; k++) { b -= n; sum = fmaf(*--a, __ldg(b), sum); }
	C[row * n + column] = sum;
}
