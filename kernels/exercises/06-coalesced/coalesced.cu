// Task: the product by definition, but every warp accesses a column of A and of
// C. Let the threads of a warp be neighbors in a row.
//
// Blocks of 32 × 8 threads; n is a multiple of 32.
__global__ void coalesced(float *C, const float *A, const float *B, int n)
{
	int row = blockIdx.x * blockDim.x + threadIdx.x;
	int column = blockIdx.y * blockDim.y + threadIdx.y;

	float sum = 0;
	for (int k = 0; k < n; k++)
		sum += A[row * n + k] * B[k * n + column];
	C[row * n + column] = sum;
}
