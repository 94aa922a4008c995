__global__ void one_barrier(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[2][16][16], Bs[2][16][16];
	const int tx = threadIdx.x, ty = threadIdx.y;
	const int row = blockIdx.y * 16 + ty, column = blockIdx.x * 16 + tx;

	float sum = 0;
	for (int t = 0, p = 0; t < n; t += 16, p ^= 1) {
		As[p][ty][tx] = A[row * n + t + tx];
		Bs[p][ty][tx] = B[(t + ty) * n + column];
		__syncthreads();
		for (int k = 0; k < 16; k++)
			sum += As[p][ty][k] * Bs[p][k][tx];
	}
	C[row * n + column] = sum;
}
