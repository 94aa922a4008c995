// B from its tile once, A's elements from global memory
constexpr int TILE = 32;
__global__ void four_rows(float *C, const float *A, const float *B, int n)
{
	__shared__ float Bs[TILE][TILE];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;
	float sum[4] = {};
	for (int b = 0; b < n; b += TILE) {
		for (int i = 0; i < 4; i++) Bs[ty + 8 * i][tx] = B[(b + ty + 8 * i) * n + x];
		__syncthreads();
		for (int k = 0; k < TILE; k++) { float e = Bs[k][tx]; for (int i = 0; i < 4; i++) sum[i] += A[(y + 8 * i) * n + b + k] * e; }
		__syncthreads();
	}
	for (int i = 0; i < 4; i++) C[(y + 8 * i) * n + x] = sum[i];
}
