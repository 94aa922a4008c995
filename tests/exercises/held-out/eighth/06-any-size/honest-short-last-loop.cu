// honest: the inner loop ends with the matrix, so nothing has to be zero along k
constexpr int TILE = 16;

__global__ void any_size(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[TILE][TILE], Bs[TILE][TILE];
	const int tx = threadIdx.x, ty = threadIdx.y;
	const int x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;
	float sum = 0;
	for (int b = 0; b < n; b += TILE) {
		if (y < n && b + tx < n)
			As[ty][tx] = A[y * n + b + tx];
		if (x < n && b + ty < n)
			Bs[ty][tx] = B[(b + ty) * n + x];
		__syncthreads();
		if (x < n && y < n)
			for (int k = 0; k < min(TILE, n - b); k++)
				sum += As[ty][k] * Bs[k][tx];
		__syncthreads();
	}
	if (x < n && y < n)
		C[y * n + x] = sum;
}
