__global__ void any_size(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[16][17], Bs[16][17];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
	int cx = min(x, n - 1), cy = min(y, n - 1);
	float sum = 0;
	for (int b = 0; b < n; b += 16) {
		As[ty][tx] = A[cy * n + min(b + tx, n - 1)];
		Bs[ty][tx] = B[min(b + ty, n - 1) * n + cx];
		__syncthreads();
		int last = min(16, n - b);
		for (int k = 0; k < last; k++)
			sum += As[ty][k] * Bs[k][tx];
		__syncthreads();
	}
	if (x < n && y < n)
		C[y * n + x] = sum;
}
