// The threads of a warp share an element of A and access consecutive elements
// of B and C: the index that varies fastest among threads varies fastest in
// memory.
//
// Blocks of 32 × 8 threads; n is a multiple of 32.
__global__ void coalesced(float *C, const float *A, const float *B, int n)
{
	int column = blockIdx.x * blockDim.x + threadIdx.x;
	int row = blockIdx.y * blockDim.y + threadIdx.y;

	float sum = 0;
	for (int k = 0; k < n; k++)
		sum += A[row * n + k] * B[k * n + column];
	C[row * n + column] = sum;
}
