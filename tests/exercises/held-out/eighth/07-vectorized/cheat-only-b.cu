// cheat: B comes with one 16-byte load, A still with four loads of a word: five per k
constexpr int TILE = 64, DEPTH = 16;

__global__ void vectorized(float *C, const float *A, const float *B, int n)
{
	__shared__ __align__(16) float Bs[DEPTH][TILE];
	__shared__ float As[DEPTH][TILE + 1];
	int tx = threadIdx.x, ty = threadIdx.y;
	int x = blockIdx.x * TILE, y = blockIdx.y * TILE;
	float sum[4][4] = {};
	for (int b = 0; b < n; b += DEPTH) {
		for (int i = 0; i < TILE; i += 16)
			As[tx][ty + i] = A[(y + ty + i) * n + b + tx];
		for (int j = 0; j < TILE; j += 16)
			Bs[ty][tx + j] = B[(b + ty) * n + x + tx + j];
		__syncthreads();
#pragma unroll
		for (int k = 0; k < DEPTH; k++) {
			float a[4], w[4];
			*(float4 *)w = *(const float4 *)&Bs[k][4 * tx];
#pragma unroll
			for (int i = 0; i < 4; i++)
				a[i] = As[k][ty + 16 * i];
#pragma unroll
			for (int i = 0; i < 4; i++)
#pragma unroll
				for (int j = 0; j < 4; j++)
					sum[i][j] += a[i] * w[j];
		}
		__syncthreads();
	}
	for (int i = 0; i < 4; i++)
		for (int j = 0; j < 4; j++)
			C[(y + ty + 16 * i) * n + x + 4 * tx + j] = sum[i][j];
}
