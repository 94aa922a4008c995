__global__ void any_size(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[16][16], Bs[16][16];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
	float sum = 0;
	bool inside = (blockIdx.x + 1) * 16 <= n && (blockIdx.y + 1) * 16 <= n;
	int whole = inside ? n / 16 * 16 : 0;
	for (int b = 0; b < whole; b += 16) {
		As[ty][tx] = A[y * n + b + tx];
		Bs[ty][tx] = B[(b + ty) * n + x];
		__syncthreads();
		for (int k = 0; k < 16; k++)
			sum += As[ty][k] * Bs[k][tx];
		__syncthreads();
	}
	if (x < n && y < n) {
		for (int k = whole; k < n; k++)
			sum += A[y * n + k] * B[k * n + x];
		C[y * n + x] = sum;
	}
}
