// cheat: one of the two vector loads goes to global memory: every thread loads its four words of B there, without a tile
constexpr int TILE = 64, DEPTH = 16;

__global__ void vectorized(float *C, const float *A, const float *B, int n)
{
	__shared__ __align__(16) float As[DEPTH][TILE + 4];
	int tx = threadIdx.x, ty = threadIdx.y;
	int x = blockIdx.x * TILE, y = blockIdx.y * TILE;
	float sum[4][4] = {};
	for (int b = 0; b < n; b += DEPTH) {
		for (int i = 0; i < TILE; i += 16)
			As[tx][ty + i] = A[(y + ty + i) * n + b + tx];
		__syncthreads();
#pragma unroll
		for (int k = 0; k < DEPTH; k++) {
			float a[4], w[4];
			*(float4 *)a = *(const float4 *)&As[k][4 * ty];
			*(float4 *)w = *(const float4 *)&B[(b + k) * n + x + 4 * tx];
#pragma unroll
			for (int i = 0; i < 4; i++)
#pragma unroll
				for (int j = 0; j < 4; j++)
					sum[i][j] += a[i] * w[j];
		}
		__syncthreads();
	}
#pragma unroll
	for (int i = 0; i < 4; i++)
#pragma unroll
		for (int j = 0; j < 4; j++)
			C[(y + 4 * ty + i) * n + x + 4 * tx + j] = sum[i][j];
}
