// Only B's four words are neighbors: one wide load and four of one word per k.
constexpr int TILE = 64, DEPTH = 16;
__global__ void vectorized(float *C, const float *A, const float *B, int n)
{
	__shared__ __align__(16) float As[DEPTH][TILE + 1], Bs[DEPTH][TILE];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * TILE, y = blockIdx.y * TILE;
	float sum[4][4] = {};
	for (int b = 0; b < n; b += DEPTH) {
		for (int i = 0; i < TILE; i += 16) {
			As[tx][ty + i] = A[(y + ty + i) * n + b + tx];
			Bs[ty][tx + i] = B[(b + ty) * n + x + tx + i];
		}
		__syncthreads();
#pragma unroll
		for (int k = 0; k < DEPTH; k++) {
			float4 e = *(float4 *)&Bs[k][4 * tx];
#pragma unroll
			for (int i = 0; i < 4; i++) {
				float a = As[k][ty + 16 * i];
				sum[i][0] += a * e.x;
				sum[i][1] += a * e.y;
				sum[i][2] += a * e.z;
				sum[i][3] += a * e.w;
			}
		}
		__syncthreads();
	}
	for (int i = 0; i < 4; i++)
		for (int j = 0; j < 4; j++)
			C[(y + ty + 16 * i) * n + x + 4 * tx + j] = sum[i][j];
}
