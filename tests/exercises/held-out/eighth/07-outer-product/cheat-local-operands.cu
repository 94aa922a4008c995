// cheat: the eight operands are loaded once, but into arrays with variable indices, which live in local memory
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
#pragma unroll 1
		for (int k = 0; k < DEPTH; k++) {
			float a[4], w[4];
#pragma unroll 1
			for (int i = 0; i < 4; i++) {
				a[i] = As[k][ty + 16 * i];
				w[i] = Bs[k][tx + 16 * i];
			}
#pragma unroll 1
			for (int e = 0; e < 16; e++)
				sum[e / 4][e % 4] += a[e / 4] * w[e % 4];
		}
		__syncthreads();
	}
	for (int i = 0; i < 4; i++)
		for (int j = 0; j < 4; j++)
			C[(y + ty + 16 * i) * n + x + tx + 16 * j] = sum[i][j];
}
