// Two rows at a time: each element of B is still loaded twice, 1.5 loads per FMA.
constexpr int TILE = 32, ROWS = 8;
__global__ void four_rows(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[TILE][TILE + 1], Bs[TILE][TILE];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;
	float sum[4] = {};
	for (int b = 0; b < n; b += TILE) {
		for (int i = 0; i < 4; i++) {
			As[ty + ROWS * i][tx] = A[(y + ROWS * i) * n + b + tx];
			Bs[ty + ROWS * i][tx] = B[(b + ty + ROWS * i) * n + x];
		}
		__syncthreads();
#pragma unroll
		for (int i = 0; i < 4; i += 2)
#pragma unroll 1
			for (int k = 0; k < TILE; k++) {
				float element = Bs[k][tx];
				sum[i] += As[ty + ROWS * i][k] * element;
				sum[i + 1] += As[ty + ROWS * i + ROWS][k] * element;
			}
		__syncthreads();
	}
	for (int i = 0; i < 4; i++)
		C[(y + ROWS * i) * n + x] = sum[i];
}
