// honest: nothing is filled in: the inner loop ends at the edge, and words of rows that do not exist are not used
constexpr int TILE = 16;

__global__ void any_size(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[TILE][TILE], Bs[TILE][TILE];
	int tx = threadIdx.x, ty = threadIdx.y;
	int x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;

	float sum = 0;
	for (int b = 0; b < n; b += TILE) {
		if (y < n && b + tx < n)
			As[ty][tx] = A[y * n + b + tx];
		if (b + ty < n && x < n)
			Bs[ty][tx] = B[(b + ty) * n + x];
		__syncthreads();
		int end = min(TILE, n - b);
		for (int k = 0; k < end; k++)
			sum += As[ty][k] * Bs[k][tx];
		__syncthreads();
	}
	if (x < n && y < n)
		C[y * n + x] = sum;
}
