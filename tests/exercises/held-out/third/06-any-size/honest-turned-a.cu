// A's tile is transposed, with padding.
constexpr int TILE = 16;

__global__ void any_size(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[TILE][TILE + 1], Bs[TILE][TILE];
	int tx = threadIdx.x, ty = threadIdx.y;
	int x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;

	float sum = 0;
	for (int b = 0; b < n; b += TILE) {
		As[tx][ty] = y < n && b + tx < n ? A[y * n + b + tx] : 0;
		Bs[ty][tx] = b + ty < n && x < n ? B[(b + ty) * n + x] : 0;
		__syncthreads();
		for (int k = 0; k < TILE; k++)
			sum += As[k][ty] * Bs[k][tx];
		__syncthreads();
	}
	if (x < n && y < n)
		C[y * n + x] = sum;
}
