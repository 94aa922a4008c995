// honest: also fills B's tile with one 16-byte load and store per thread, and stores rows of C as float4
constexpr int TILE = 64, DEPTH = 16;

__global__ void vectorized(float *C, const float *A, const float *B, int n)
{
	__shared__ __align__(16) float As[DEPTH][TILE + 4], Bs[DEPTH][TILE];
	int tx = threadIdx.x, ty = threadIdx.y;
	int x = blockIdx.x * TILE, y = blockIdx.y * TILE;
	__align__(16) float sum[4][4] = {};
	for (int b = 0; b < n; b += DEPTH) {
#pragma unroll
		for (int i = 0; i < TILE; i += 16)
			As[tx][ty + i] = A[(y + ty + i) * n + b + tx];
		*(float4 *)&Bs[ty][4 * tx] = *(const float4 *)&B[(b + ty) * n + x + 4 * tx];
		__syncthreads();
#pragma unroll
		for (int k = 0; k < DEPTH; k++) {
			float a[4], w[4];
			*(float4 *)a = *(const float4 *)(As[k] + 4 * ty);
			*(float4 *)w = *(const float4 *)(Bs[k] + 4 * tx);
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
		*(float4 *)&C[(y + 4 * ty + i) * n + x + 4 * tx] = *(float4 *)sum[i];
}
