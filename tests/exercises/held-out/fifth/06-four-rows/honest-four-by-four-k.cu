// Four k at a time: four words of B's tile in registers, and A's as one float4 per row.
constexpr int TILE = 32, ROWS = 8;
__global__ void four_rows(float *C, const float *A, const float *B, int n)
{
	__shared__ __align__(16) float As[TILE][TILE];
	__shared__ float Bs[TILE][TILE];
	const int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;
	float sum[4] = {0, 0, 0, 0};
	for (int t = 0; t < n; t += TILE) {
#pragma unroll
		for (int i = 0; i < TILE; i += ROWS) {
			As[ty + i][tx] = A[(y + i) * n + t + tx];
			Bs[ty + i][tx] = B[(t + ty + i) * n + x];
		}
		__syncthreads();
#pragma unroll 2
		for (int k = 0; k < TILE; k += 4) {
			const float b0 = Bs[k][tx], b1 = Bs[k + 1][tx], b2 = Bs[k + 2][tx], b3 = Bs[k + 3][tx];
#pragma unroll
			for (int i = 0; i < 4; i++) {
				const float4 a = *reinterpret_cast<const float4 *>(&As[ty + ROWS * i][k]);
				sum[i] += a.x * b0 + a.y * b1 + a.z * b2 + a.w * b3;
			}
		}
		__syncthreads();
	}
#pragma unroll
	for (int i = 0; i < 4; i++)
		C[(y + ROWS * i) * n + x] = sum[i];
}
