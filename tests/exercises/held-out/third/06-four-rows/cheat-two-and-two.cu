// An element of B is loaded twice, for two rows each.
constexpr int TILE = 32;
constexpr int ROWS = 8; // of threads

__global__ void four_rows(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[TILE][TILE], Bs[TILE][TILE];
	int tx = threadIdx.x, ty = threadIdx.y;
	int x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;

	float sum[4] = {};
	for (int b = 0; b < n; b += TILE) {
		for (int i = 0; i < 4; i++) {
			As[ty + ROWS * i][tx] = A[(y + ROWS * i) * n + b + tx];
			Bs[ty + ROWS * i][tx] = B[(b + ty + ROWS * i) * n + x];
		}
		__syncthreads();
#pragma unroll 4
		for (int k = 0; k < TILE; k++) {
			volatile float *again = &Bs[k][tx];
			float first = *again;
			sum[0] += As[ty][k] * first;
			sum[1] += As[ty + ROWS][k] * first;
			float second = *again;
			sum[2] += As[ty + 2 * ROWS][k] * second;
			sum[3] += As[ty + 3 * ROWS][k] * second;
		}
		__syncthreads();
	}
	for (int i = 0; i < 4; i++)
		C[(y + ROWS * i) * n + x] = sum[i];
}
