// B's tile as it should be; A straight from global memory.
__global__ void b_transposed(float *C, const float *A, const float *Bt, int n)
{
	__shared__ float Bs[32][33];
	int tx = threadIdx.x, ty = threadIdx.y;
	int x = blockIdx.x * 32, y = blockIdx.y * 32 + ty;
	float sum = 0;
	for (int b = 0; b < n; b += 32) {
		Bs[ty][tx] = Bt[(x + ty) * n + b + tx];
		__syncthreads();
		for (int k = 0; k < 32; k++)
			sum += A[y * n + b + k] * Bs[tx][k];
		__syncthreads();
	}
	C[y * n + x + tx] = sum;
}
