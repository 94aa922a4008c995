// B's element is loaded for two rows, and again for the other two
constexpr int TILE = 32, ROWS = 8;
__global__ void four_rows(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[TILE][TILE], Bs[TILE][TILE];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;
	float sum[4] = {};
	for (int b = 0; b < n; b += TILE) {
		for (int i = 0; i < 4; i++) { As[ty + 8 * i][tx] = A[(y + 8 * i) * n + b + tx]; Bs[ty + 8 * i][tx] = B[(b + ty + 8 * i) * n + x]; }
		__syncthreads();
#pragma unroll
		for (int i = 0; i < 4; i += 2)
#pragma unroll 4
			for (int k = 0; k < TILE; k++) { float e = Bs[k][tx]; sum[i] += As[ty + 8 * i][k] * e; sum[i + 1] += As[ty + 8 * i + 8][k] * e; }
		__syncthreads();
	}
	for (int i = 0; i < 4; i++) C[(y + 8 * i) * n + x] = sum[i];
}
