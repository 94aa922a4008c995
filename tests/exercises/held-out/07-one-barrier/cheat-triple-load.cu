// One barrier, because every thread loads the tile's row and column itself.
__global__ void one_barrier(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[2][16][16];
	int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, column = blockIdx.x * 16 + tx;
	float sum = 0;
	for (int t = 0, p = 0; t < n; t += 16, p ^= 1) {
		As[p][ty][tx] = A[row * n + t + tx];
		__syncthreads();
		for (int k = 0; k < 16; k++)
			sum += As[p][ty][k] * B[(t + k) * n + column];
	}
	C[row * n + column] = sum;
}
