// Task: tiles of 16 × 16 for matrices whose size is not a multiple of 16. The
// grid covers them and extends past the edges; avoid the loads and stores out
// of bounds.
//
// Blocks of 16 × 16 threads; the grid is rounded up.
constexpr int TILE = 16;

__global__ void any_size(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[TILE][TILE], Bs[TILE][TILE];
	int tx = threadIdx.x, ty = threadIdx.y;
	int x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;

	float sum = 0;
	for (int b = 0; b < n; b += TILE) {
		As[ty][tx] = A[y * n + b + tx];
		Bs[ty][tx] = B[(b + ty) * n + x];
		__syncthreads();
		for (int k = 0; k < TILE; k++)
			sum += As[ty][k] * Bs[k][tx];
		__syncthreads();
	}
	C[y * n + x] = sum;
}
