// cheat: saves loads on the wrong operand: A comes four at a time, B is still loaded four times
constexpr int TILE = 32, ROWS = 8;

__global__ void four_rows(float *C, const float *A, const float *B, int n)
{
	__shared__ __align__(16) float As[TILE][TILE];
	__shared__ float Bs[TILE][TILE];
	int tx = threadIdx.x, ty = threadIdx.y;
	int x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;
	float sum[4] = {};
	for (int b = 0; b < n; b += TILE) {
		for (int i = 0; i < 4; i++) {
			As[ty + ROWS * i][tx] = A[(y + ROWS * i) * n + b + tx];
			Bs[ty + ROWS * i][tx] = B[(b + ty + ROWS * i) * n + x];
		}
		__syncthreads();
#pragma unroll
		for (int i = 0; i < 4; i++)
#pragma unroll 1
			for (int k = 0; k < TILE; k += 4) {
				float4 a = *(const float4 *)&As[ty + ROWS * i][k];
				sum[i] += a.x * Bs[k][tx] + a.y * Bs[k + 1][tx] + a.z * Bs[k + 2][tx] + a.w * Bs[k + 3][tx];
			}
		__syncthreads();
	}
	for (int i = 0; i < 4; i++)
		C[(y + ROWS * i) * n + x] = sum[i];
}
