// honest: numbers the elements of C along its rows, 256 to a block
__global__ void coalesced(float *C, const float *A, const float *B, int n)
{
	int block = blockIdx.y * gridDim.x + blockIdx.x;
	int i = block * 256 + threadIdx.y * 32 + threadIdx.x;
	int row = i / n, column = i - row * n;
	float sum = 0;
#pragma unroll 4
	for (int k = 0; k < n; k++)
		sum += A[row * n + k] * B[k * n + column];
	C[i] = sum;
}
