// Four elements of a row of A with one load.
constexpr int TILE = 32;
constexpr int ROWS = 8; // of threads

__global__ void four_rows(float *C, const float *A, const float *B, int n)
{
	__shared__ __align__(16) float As[TILE][TILE], Bs[TILE][TILE];
	int tx = threadIdx.x, ty = threadIdx.y;
	int x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;

	float sum[4] = {};
	for (int b = 0; b < n; b += TILE) {
		for (int i = 0; i < 4; i++) {
			As[ty + ROWS * i][tx] = A[(y + ROWS * i) * n + b + tx];
			Bs[ty + ROWS * i][tx] = B[(b + ty + ROWS * i) * n + x];
		}
		__syncthreads();
		for (int k = 0; k < TILE; k += 4) {
			float b0 = Bs[k][tx], b1 = Bs[k + 1][tx], b2 = Bs[k + 2][tx], b3 = Bs[k + 3][tx];
#pragma unroll
			for (int i = 0; i < 4; i++) {
				float4 a = *(const float4 *)&As[ty + ROWS * i][k];
				sum[i] += a.x * b0 + a.y * b1 + a.z * b2 + a.w * b3;
			}
		}
		__syncthreads();
	}
	for (int i = 0; i < 4; i++)
		C[(y + ROWS * i) * n + x] = sum[i];
}
