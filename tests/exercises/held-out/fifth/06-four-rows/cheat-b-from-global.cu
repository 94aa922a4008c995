// B has no tile any more: its elements come from global memory, and only A's are counted in shared memory.
constexpr int TILE = 32, ROWS = 8;
__global__ void four_rows(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[TILE][TILE];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;
	float sum[4] = {};
	for (int b = 0; b < n; b += TILE) {
		for (int i = 0; i < 4; i++)
			As[ty + ROWS * i][tx] = A[(y + ROWS * i) * n + b + tx];
		__syncthreads();
		for (int k = 0; k < TILE; k++) {
			float element = B[(b + k) * n + x];
			for (int i = 0; i < 4; i++)
				sum[i] += As[ty + ROWS * i][k] * element;
		}
		__syncthreads();
	}
	for (int i = 0; i < 4; i++)
		C[(y + ROWS * i) * n + x] = sum[i];
}
