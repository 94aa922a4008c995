// cheat: every operand is still loaded four times, only in vectors along k: the loads are fewer but the reuse is not there
constexpr int TILE = 64, DEPTH = 16;

__global__ void outer_product(float *C, const float *A, const float *B, int n)
{
	__shared__ __align__(16) float As[TILE][DEPTH + 4], Bs[TILE][DEPTH + 4];
	int tx = threadIdx.x, ty = threadIdx.y;
	int x = blockIdx.x * TILE, y = blockIdx.y * TILE;
	float sum[4][4] = {};
	for (int b = 0; b < n; b += DEPTH) {
		for (int i = 0; i < TILE; i += 16) {
			As[ty + i][tx] = A[(y + ty + i) * n + b + tx];
			Bs[tx + i][ty] = B[(b + ty) * n + x + tx + i];
		}
		__syncthreads();
#pragma unroll
		for (int i = 0; i < 4; i++)
#pragma unroll
			for (int j = 0; j < 4; j++)
#pragma unroll 1
				for (int k = 0; k < DEPTH; k += 4) {
					float4 a = *(const float4 *)&As[ty + 16 * i][k];
					float4 w = *(const float4 *)&Bs[tx + 16 * j][k];
					sum[i][j] += a.x * w.x + a.y * w.y + a.z * w.z + a.w * w.w;
				}
		__syncthreads();
	}
	for (int i = 0; i < 4; i++)
		for (int j = 0; j < 4; j++)
			C[(y + ty + 16 * i) * n + x + tx + 16 * j] = sum[i][j];
}
