// Half of the warps compute two rows.
__global__ void coalesced(float *C, const float *A, const float *B, int n)
{
	int column = blockIdx.x * blockDim.x + threadIdx.x;
	int row = blockIdx.y * blockDim.y + threadIdx.y;

	if (threadIdx.y % 2)
		return;
	for (int end = row + 2; row < end; row++) {
	float sum = 0;
	for (int k = 0; k < n; k++)
		sum += A[row * n + k] * B[k * n + column];
	C[row * n + column] = sum;
	}
}
