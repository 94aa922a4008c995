// B from global memory, its tile is dead
constexpr int TILE = 64, DEPTH = 16;
__global__ void outer_product(float *C, const float *A, const float *B, int n)
{
	__shared__ __align__(16) float As[DEPTH][TILE + 1]; __shared__ __align__(16) float Bs[DEPTH][TILE];
	int tx = threadIdx.x, ty = threadIdx.y;
	int x = blockIdx.x * TILE, y = blockIdx.y * TILE;
	float sum[4][4] = {};
	for (int b = 0; b < n; b += DEPTH) {
		for (int i = 0; i < TILE; i += 16) As[tx][ty + i] = A[(y + ty + i) * n + b + tx];
		for (int j = 0; j < TILE; j += 16) Bs[ty][tx + j] = B[(b + ty) * n + x + tx + j];
		__syncthreads();
#pragma unroll 4
for (int k = 0; k < DEPTH; k++) { float a[4], c[4];
#pragma unroll
for (int i = 0; i < 4; i++) { a[i] = As[k][ty + 16 * i]; c[i] = B[(b + k) * n + x + tx + 16 * i]; }
#pragma unroll
for (int i = 0; i < 4; i++)
#pragma unroll
for (int j = 0; j < 4; j++) sum[i][j] += a[i] * c[j]; }
		__syncthreads();
	}
#pragma unroll
	for (int i = 0; i < 4; i++)
#pragma unroll
		for (int j = 0; j < 4; j++)
			C[(y + ty + 16 * i) * n + x + tx + 16 * j] = sum[i][j];
}
