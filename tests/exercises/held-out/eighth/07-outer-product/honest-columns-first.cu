// honest: four operands of A in registers, then one of B at a time, each for a column of four products
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
		for (int k = 0; k < DEPTH; k++) {
			float a[4];
#pragma unroll
			for (int i = 0; i < 4; i++)
				a[i] = As[k][16 * i + ty];
#pragma unroll
			for (int j = 0; j < 4; j++) {
				const float w = Bs[k][16 * j + tx];
#pragma unroll
				for (int i = 0; i < 4; i++)
					sum[j][i] += a[i] * w;
			}
		}
		__syncthreads();
	}
#pragma unroll
	for (int i = 0; i < 4; i++)
#pragma unroll
		for (int j = 0; j < 4; j++)
			C[(y + ty + 16 * i) * n + x + tx + 16 * j] = sum[j][i];
}
