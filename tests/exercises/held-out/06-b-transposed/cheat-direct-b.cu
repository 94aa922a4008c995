// B is read coalesced by no one: a broadcast per column element through L1.
__global__ void b_transposed(float *C, const float *A, const float *Bt, int n)
{
	__shared__ float As[32][33], Bs[32][33];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 32, y = blockIdx.y * 32;
	float sum = 0;
	for (int b = 0; b < n; b += 32) {
		As[ty][tx] = A[(y + ty) * n + b + tx];
		Bs[tx][ty] = Bt[(x + tx) * n + b + ty];
		__syncthreads();
		for (int k = 0; k < 32; k++)
			sum += As[ty][k] * Bs[tx][k];
		__syncthreads();
	}
	C[(y + ty) * n + x + tx] = sum;
}
