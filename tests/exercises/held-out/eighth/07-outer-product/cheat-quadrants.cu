// cheat: four small outer products of 2 by 2 one after the other: each operand is loaded twice
constexpr int TILE = 64, DEPTH = 16;

__global__ void outer_product(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[DEPTH][TILE + 1], Bs[DEPTH][TILE];
	int tx = threadIdx.x, ty = threadIdx.y;
	int x = blockIdx.x * TILE, y = blockIdx.y * TILE;
	float sum[4][4] = {};
	for (int b = 0; b < n; b += DEPTH) {
		for (int i = 0; i < TILE; i += 16)
			As[tx][ty + i] = A[(y + ty + i) * n + b + tx];
		for (int j = 0; j < TILE; j += 16)
			Bs[ty][tx + j] = B[(b + ty) * n + x + tx + j];
		__syncthreads();
#pragma unroll
		for (int q = 0; q < 4; q++) {
			const int r = q / 2 * 2, c = q % 2 * 2;
#pragma unroll 1
			for (int k = 0; k < DEPTH; k++) {
				float a0 = As[k][ty + 16 * r], a1 = As[k][ty + 16 * r + 16];
				float w0 = Bs[k][tx + 16 * c], w1 = Bs[k][tx + 16 * c + 16];
				sum[r][c] += a0 * w0;
				sum[r][c + 1] += a0 * w1;
				sum[r + 1][c] += a1 * w0;
				sum[r + 1][c + 1] += a1 * w1;
			}
		}
		__syncthreads();
	}
	for (int i = 0; i < 4; i++)
		for (int j = 0; j < 4; j++)
			C[(y + ty + 16 * i) * n + x + tx + 16 * j] = sum[i][j];
}
