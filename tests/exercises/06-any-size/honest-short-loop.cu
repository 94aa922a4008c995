// The inner loop ends at the edge; nothing else is read there.
__global__ void any_size(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[16][16], Bs[16][16];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
	bool there = x < n && y < n;
	float sum = 0;
	for (int b = 0; b < n; b += 16) {
		if (y < n && b + tx < n)
			As[ty][tx] = A[y * n + b + tx];
		if (x < n && b + ty < n)
			Bs[ty][tx] = B[(b + ty) * n + x];
		__syncthreads();
		int depth = min(16, n - b);
		if (there)
			for (int k = 0; k < depth; k++)
				sum += As[ty][k] * Bs[k][tx];
		__syncthreads();
	}
	if (there)
		C[y * n + x] = sum;
}
