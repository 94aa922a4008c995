// four pairs, filled at once
__global__ void one_barrier(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[4][16][16], Bs[4][16][16];
	int tx = threadIdx.x, ty = threadIdx.y;
	const float *a = A + (blockIdx.y * 16 + ty) * n + tx, *b = B + ty * n + blockIdx.x * 16 + tx;
	float sum = 0;
	for (int t = 0; t < n; t += 64) {
		int m = min(4, (n - t) / 16);
		__syncthreads();
		for (int h = 0; h < m; h++) {
			As[h][ty][tx] = a[t + h * 16];
			Bs[h][ty][tx] = b[(t + h * 16) * n];
		}
		__syncthreads();
		for (int h = 0; h < m; h++)
			for (int k = 0; k < 16; k++)
				sum += As[h][ty][k] * Bs[h][k][tx];
	}
	C[(blockIdx.y * 16 + ty) * n + blockIdx.x * 16 + tx] = sum;
}
