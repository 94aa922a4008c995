// honest: column and row from the thread's flat index in the block and the block's flat index in the grid
__global__ void coalesced(float *C, const float *A, const float *B, int n)
{
	int thread = threadIdx.y * blockDim.x + threadIdx.x;
	int block = blockIdx.y * gridDim.x + blockIdx.x;
	int element = block * 256 + thread;
	int row = element / n, column = element % n;

	float sum = 0;
#pragma unroll 4
	for (int k = 0; k < n; k++)
		sum = fmaf(A[row * n + k], B[k * n + column], sum);
	C[element] = sum;
}
