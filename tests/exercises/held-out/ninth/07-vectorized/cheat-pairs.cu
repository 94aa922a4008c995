// cheat: loads of two words: four per k instead of two
constexpr int TILE = 64;  // rows and columns of C for a block
constexpr int DEPTH = 16; // columns of A and rows of B at a time

__global__ void vectorized(float *C, const float *A, const float *B, int n)
{
	__shared__ __align__(16) float As[DEPTH][TILE + 4], Bs[DEPTH][TILE];
	int tx = threadIdx.x, ty = threadIdx.y;
	int x = blockIdx.x * TILE, y = blockIdx.y * TILE; // the block's origin in C

	float sum[4][4] = {};
	for (int b = 0; b < n; b += DEPTH) {
		for (int i = 0; i < TILE; i += 16)
			As[tx][ty + i] = A[(y + ty + i) * n + b + tx];
		for (int j = 0; j < TILE; j += 16)
			Bs[ty][tx + j] = B[(b + ty) * n + x + tx + j];
		__syncthreads();
#pragma unroll
		for (int k = 0; k < DEPTH; k++) {
			float a[4], b_row[4];
#pragma unroll
			for (int i = 0; i < 2; i++) {
				float2 rows = *(const float2 *)&As[k][2 * ty + 32 * i];
				float2 columns = *(const float2 *)&Bs[k][2 * tx + 32 * i];
				a[2 * i] = rows.x;
				a[2 * i + 1] = rows.y;
				b_row[2 * i] = columns.x;
				b_row[2 * i + 1] = columns.y;
			}
#pragma unroll
			for (int i = 0; i < 4; i++)
#pragma unroll
				for (int j = 0; j < 4; j++)
					sum[i][j] += a[i] * b_row[j];
		}
		__syncthreads();
	}
	for (int i = 0; i < 4; i++)
		for (int j = 0; j < 4; j++)
			C[(y + 2 * ty + i / 2 * 32 + i % 2) * n + x + 2 * tx + j / 2 * 32 + j % 2] = sum[i][j];
}
