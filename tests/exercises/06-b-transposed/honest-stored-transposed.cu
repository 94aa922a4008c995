// Transposed when it is stored to the tile.
__global__ void b_transposed(float *C, const float *A, const float *Bt, int n)
{
	__shared__ float As[32][32], Bs[32][33];
	int tx = threadIdx.x, ty = threadIdx.y, x0 = blockIdx.x * 32, y = blockIdx.y * 32 + ty;
	float sum = 0;
	for (int b = 0; b < n; b += 32) {
		As[ty][tx] = A[y * n + b + tx];
		Bs[tx][ty] = Bt[(x0 + ty) * n + b + tx];
		__syncthreads();
		for (int k = 0; k < 32; k++)
			sum += As[ty][k] * Bs[k][tx];
		__syncthreads();
	}
	C[y * n + x0 + tx] = sum;
}
