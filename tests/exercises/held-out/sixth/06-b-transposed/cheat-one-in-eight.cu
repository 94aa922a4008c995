__global__ void b_transposed(float *C, const float *A, const float *Bt, int n)
{
	__shared__ float As[32][32], Bs[32][33];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 32 + tx, y = blockIdx.y * 32 + ty;
	float sum = 0;
	for (int b = 0; b < n; b += 32) {
		As[ty][tx] = A[y * n + b + tx];
		if (blockIdx.x == 0 && blockIdx.y == 0)
			Bs[tx][ty] = Bt[x * n + b + ty];
		else
			Bs[ty][tx] = Bt[(blockIdx.x * 32 + ty) * n + b + tx];
		__syncthreads();
		for (int k = 0; k < 32; k++)
			sum += As[ty][k] * Bs[tx][k];
		__syncthreads();
	}
	C[y * n + x] = sum;
}
