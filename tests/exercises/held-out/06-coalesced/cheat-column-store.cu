// Neighbors in a row for the loads; the stores go through shared memory to columns.
__global__ void coalesced(float *C, const float *A, const float *B, int n)
{
	int row = blockIdx.x * 32 + threadIdx.x, column = blockIdx.y * 8 + threadIdx.y;
	float sum = 0;
	for (int k = 0; k < n; k++)
		sum = fmaf(A[row * n + k], B[k * n + column], sum);
	C[row * n + column] = sum;
	__syncthreads();
}
