// B's element from global memory once per k, used four times; the tile is dead
constexpr int TILE = 32;
__global__ void four_rows(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[TILE][TILE];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;
	float sum[4] = {};
	for (int b = 0; b < n; b += TILE) {
		for (int i = 0; i < 4; i++) As[ty + 8 * i][tx] = A[(y + 8 * i) * n + b + tx];
		__syncthreads();
		for (int k = 0; k < TILE; k++) { float e = B[(b + k) * n + x]; for (int i = 0; i < 4; i++) sum[i] += As[ty + 8 * i][k] * e; }
		__syncthreads();
	}
	for (int i = 0; i < 4; i++) C[(y + 8 * i) * n + x] = sum[i];
}
