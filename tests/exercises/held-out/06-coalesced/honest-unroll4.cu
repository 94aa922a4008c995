__global__ void coalesced(float *C, const float *A, const float *B, int n)
{
	const int column = blockIdx.x * blockDim.x + threadIdx.x;
	const int row = blockIdx.y * blockDim.y + threadIdx.y;
	const float *a = A + row * n, *b = B + column;
	float sum = 0.0f;
#pragma unroll 4
	for (int k = 0; k < n; k++, b += n)
		sum += a[k] * *b;
	C[row * n + column] = sum;
}
