// One block in eight keeps the old order within its elements.
__global__ void coalesced(float *C, const float *A, const float *B, int n)
{
	unsigned t = threadIdx.y * 32 + threadIdx.x;
	unsigned block = blockIdx.y * gridDim.x + blockIdx.x;
	bool old = block % 8 == 5;
	int row = blockIdx.y * 8 + (old ? t % 8 : t / 32);
	int column = blockIdx.x * 32 + (old ? t / 8 : t % 32);
	float sum = 0;
	for (int k = 0; k < n; k++)
		sum += A[row * n + k] * B[k * n + column];
	C[row * n + column] = sum;
}
