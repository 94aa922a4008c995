// four words at a time for one k of four
constexpr int TILE = 64, DEPTH = 16;
__global__ void vectorized(float *C, const float *A, const float *B, int n)
{
	__shared__ __align__(16) float As[DEPTH][TILE + 4]; __shared__ __align__(16) float Bs[DEPTH][TILE];
	int tx = threadIdx.x, ty = threadIdx.y;
	int x = blockIdx.x * TILE, y = blockIdx.y * TILE;
	float sum[4][4] = {};
	for (int b = 0; b < n; b += DEPTH) {
		for (int i = 0; i < TILE; i += 16) As[tx][ty + i] = A[(y + ty + i) * n + b + tx];
		for (int j = 0; j < TILE; j += 16) Bs[ty][tx + j] = B[(b + ty) * n + x + tx + j];
		__syncthreads();
#pragma unroll
for (int k = 0; k < DEPTH; k++) { float a[4], c[4];
if (k % 4 == 0) { float4 q = *(const float4 *)&As[k][4 * ty]; a[0] = q.x; a[1] = q.y; a[2] = q.z; a[3] = q.w; } else {
#pragma unroll
for (int i = 0; i < 4; i++) a[i] = ((volatile float *)As[k])[4 * ty + i];
}
if (k % 4 == 0) { float4 q = *(const float4 *)&Bs[k][4 * tx]; c[0] = q.x; c[1] = q.y; c[2] = q.z; c[3] = q.w; } else {
#pragma unroll
for (int i = 0; i < 4; i++) c[i] = ((volatile float *)Bs[k])[4 * tx + i];
}
#pragma unroll
for (int i = 0; i < 4; i++)
#pragma unroll
for (int j = 0; j < 4; j++) sum[i][j] += a[i] * c[j];
}
		__syncthreads();
	}
#pragma unroll
	for (int i = 0; i < 4; i++)
#pragma unroll
		for (int j = 0; j < 4; j++)
			C[(y + 4 * ty + i) * n + x + 4 * tx + j] = sum[i][j];
}
