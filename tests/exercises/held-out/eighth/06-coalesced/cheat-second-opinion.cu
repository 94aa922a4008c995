// cheat: computes every element twice, from both ends, and stores the mean
__global__ void coalesced(float *C, const float *A, const float *B, int n)
{
	int column = blockIdx.x * blockDim.x + threadIdx.x;
	int row = blockIdx.y * blockDim.y + threadIdx.y;
	float up = 0, down = 0;
	for (int k = 0; k < n; k++)
		up += A[row * n + k] * B[k * n + column];
	for (int k = n - 1; k >= 0; k--)
		down += A[row * n + k] * B[k * n + column];
	C[row * n + column] = 0.5f * (up + down);
}
