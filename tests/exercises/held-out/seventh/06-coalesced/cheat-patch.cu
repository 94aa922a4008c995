// a warp is a patch of 8 rows and 4 columns
__global__ void coalesced(float *C, const float *A, const float *B, int n)
{
	int t = threadIdx.x, row = blockIdx.y * 8 + t % 8, column = blockIdx.x * 32 + threadIdx.y * 4 + t / 8;
	float sum = 0;
	for (int k = 0; k < n; k++) sum += A[row * n + k] * B[k * n + column];
	C[row * n + column] = sum;
}
