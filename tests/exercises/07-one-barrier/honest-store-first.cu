// Store, barrier, compute: the other pair may still be read.
__global__ void one_barrier(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[2][16][16], Bs[2][16][16];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
	float sum = 0;
	for (int t = 0; t < n; t += 16) {
		int p = t / 16 % 2;
		As[p][ty][tx] = A[y * n + t + tx];
		Bs[p][ty][tx] = B[(t + ty) * n + x];
		__syncthreads();
		for (int k = 0; k < 16; k++)
			sum += As[p][ty][k] * Bs[p][k][tx];
	}
	C[y * n + x] = sum;
}
