// half of the blocks as before
__global__ void coalesced(float *C, const float *A, const float *B, int n)
{
	int row, column;
	if (blockIdx.x % 2) { row = blockIdx.x * 32 + threadIdx.x; column = blockIdx.y * 8 + threadIdx.y; }
	else { row = blockIdx.x * 32 + blockIdx.y % 4 * 8 + threadIdx.y; column = blockIdx.y / 4 * 32 + threadIdx.x; }
	float sum = 0;
	for (int k = 0; k < n; k++) sum += A[row * n + k] * B[k * n + column];
	C[row * n + column] = sum;
}
