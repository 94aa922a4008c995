// The last tile is shorter: the inner loop ends where the matrix does, and indices are clamped.
__global__ void any_size(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[16][16], Bs[16][16];
	const int tx = threadIdx.x, ty = threadIdx.y;
	const int x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
	const float *a = A + min(y, n - 1) * n, *b = B + min(x, n - 1);
	float sum = 0;
	for (int t = 0; t < n; t += 16) {
		As[ty][tx] = a[min(t + tx, n - 1)];
		Bs[ty][tx] = b[min(t + ty, n - 1) * n];
		__syncthreads();
		const int depth = min(16, n - t);
		for (int k = 0; k < depth; k++)
			sum += As[ty][k] * Bs[k][tx];
		__syncthreads();
	}
	if (x < n && y < n)
		C[y * n + x] = sum;
}
