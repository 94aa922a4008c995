// honest: neighboring rows and columns, so that each operand comes with one 16-byte load
constexpr int TILE = 64, DEPTH = 16;

__global__ void outer_product(float *C, const float *A, const float *B, int n)
{
	__shared__ __align__(16) float As[DEPTH][TILE + 4], Bs[DEPTH][TILE];
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
			const float4 p = *(const float4 *)&As[k][4 * ty], q = *(const float4 *)&Bs[k][4 * tx];
			const float a[4] = {p.x, p.y, p.z, p.w}, w[4] = {q.x, q.y, q.z, q.w};
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
		*(float4 *)&C[(y + 4 * ty + i) * n + x + 4 * tx] =
			make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
}
