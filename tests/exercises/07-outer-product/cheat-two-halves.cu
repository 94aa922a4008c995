// Two rows at a time, twice: twelve loads for sixteen products, B's four each time anew.
constexpr int TILE = 64, DEPTH = 16;
__global__ void outer_product(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[DEPTH][TILE + 1], Bs[DEPTH][TILE];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * TILE, y = blockIdx.y * TILE;
	float sum[4][4] = {};
	for (int b = 0; b < n; b += DEPTH) {
		for (int i = 0; i < TILE; i += 16) {
			As[tx][ty + i] = A[(y + ty + i) * n + b + tx];
			Bs[ty][tx + i] = B[(b + ty) * n + x + tx + i];
		}
		__syncthreads();
#pragma unroll
		for (int half = 0; half < 4; half += 2)
#pragma unroll 1
			for (int k = 0; k < DEPTH; k++) {
				float a0 = As[k][ty + 16 * half], a1 = As[k][ty + 16 * half + 16];
#pragma unroll
				for (int j = 0; j < 4; j++) {
					float e = Bs[k][tx + 16 * j];
					sum[half][j] += a0 * e;
					sum[half + 1][j] += a1 * e;
				}
			}
		__syncthreads();
	}
	for (int i = 0; i < 4; i++)
		for (int j = 0; j < 4; j++)
			C[(y + ty + 16 * i) * n + x + tx + 16 * j] = sum[i][j];
}
