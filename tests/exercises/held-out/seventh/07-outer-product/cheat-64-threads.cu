// 64 of 256 threads compute 8 x 8 elements each, the others only load
constexpr int TILE = 64, DEPTH = 16;
__global__ void outer_product(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[DEPTH][TILE + 1], Bs[DEPTH][TILE];
	int tx = threadIdx.x, ty = threadIdx.y, t = ty * 16 + tx, u = t % 8, v = t / 8;
	int x = blockIdx.x * TILE, y = blockIdx.y * TILE;
	float sum[8][8] = {};
	for (int b = 0; b < n; b += DEPTH) {
		for (int i = 0; i < TILE; i += 16) As[tx][ty + i] = A[(y + ty + i) * n + b + tx];
		for (int j = 0; j < TILE; j += 16) Bs[ty][tx + j] = B[(b + ty) * n + x + tx + j];
		__syncthreads();
		if (t < 64) for (int k = 0; k < DEPTH; k++) {
			float a[8], c[8];
#pragma unroll
			for (int i = 0; i < 8; i++) { a[i] = As[k][v + 8 * i]; c[i] = Bs[k][u + 8 * i]; }
#pragma unroll
			for (int i = 0; i < 8; i++)
#pragma unroll
				for (int j = 0; j < 8; j++) sum[i][j] += a[i] * c[j];
		}
		__syncthreads();
	}
	if (t < 64)
#pragma unroll
		for (int i = 0; i < 8; i++)
#pragma unroll
			for (int j = 0; j < 8; j++) C[(y + v + 8 * i) * n + x + u + 8 * j] = sum[i][j];
}
