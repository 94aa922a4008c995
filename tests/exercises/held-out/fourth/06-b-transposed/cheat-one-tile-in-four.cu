// Every fourth tile is loaded as before, with a stride of n.
__global__ void b_transposed(float *C, const float *A, const float *Bt, int n)
{
	__shared__ float As[32][32], Bs[32][33];
	int tx = threadIdx.x, ty = threadIdx.y, x0 = blockIdx.x * 32, y = blockIdx.y * 32 + ty;
	float sum = 0;
	for (int b = 0; b < n; b += 32) {
		As[ty][tx] = A[y * n + b + tx];
		if ((b / 32 + blockIdx.x) % 4)
			Bs[tx][ty] = Bt[(x0 + ty) * n + b + tx];
		else
			Bs[ty][tx] = Bt[(x0 + tx) * n + b + ty];
		__syncthreads();
		for (int k = 0; k < 32; k++)
			sum += As[ty][k] * Bs[k][tx];
		__syncthreads();
	}
	C[y * n + x0 + tx] = sum;
}
