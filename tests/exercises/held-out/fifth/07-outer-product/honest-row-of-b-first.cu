// Four words of B in registers, then one of A at a time, each used at once for four products.
constexpr int TILE = 64, DEPTH = 16;
__global__ void outer_product(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[DEPTH][TILE + 2], Bs[DEPTH][TILE];
	const int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * TILE, y = blockIdx.y * TILE;
	float c[16] = {};
	for (int t = 0; t < n; t += DEPTH) {
#pragma unroll
		for (int i = 0; i < TILE; i += 16) {
			As[tx][ty + i] = A[(y + ty + i) * n + t + tx];
			Bs[ty][tx + i] = B[(t + ty) * n + x + tx + i];
		}
		__syncthreads();
#pragma unroll 4
		for (int k = 0; k < DEPTH; k++) {
			const float b0 = Bs[k][tx], b1 = Bs[k][tx + 16], b2 = Bs[k][tx + 32], b3 = Bs[k][tx + 48];
#pragma unroll
			for (int i = 0; i < 4; i++) {
				const float a = As[k][ty + 16 * i];
				c[4 * i] += a * b0;
				c[4 * i + 1] += a * b1;
				c[4 * i + 2] += a * b2;
				c[4 * i + 3] += a * b3;
			}
		}
		__syncthreads();
	}
#pragma unroll
	for (int i = 0; i < 16; i++)
		C[(y + ty + 16 * (i / 4)) * n + x + tx + 16 * (i % 4)] = c[i];
}
