// honest: a helper function forms the outer product, and the loop over k is unrolled by four only
constexpr int TILE = 64, DEPTH = 16;

__device__ __forceinline__ void accumulate(float (&sum)[4][4], const float *a_column, const float *b_row)
{
	float a[4] = {a_column[0], a_column[16], a_column[32], a_column[48]};
	float w[4] = {b_row[0], b_row[16], b_row[32], b_row[48]};
#pragma unroll
	for (int i = 0; i < 4; i++)
#pragma unroll
		for (int j = 0; j < 4; j++)
			sum[i][j] = fmaf(a[i], w[j], sum[i][j]);
}

__global__ void outer_product(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[DEPTH][TILE + 1], Bs[DEPTH][TILE];
	int tx = threadIdx.x, ty = threadIdx.y;
	int x = blockIdx.x * TILE, y = blockIdx.y * TILE;
	float sum[4][4] = {};
	for (int b = 0; b < n; b += DEPTH) {
		for (int i = 0; i < TILE; i += 16)
			As[tx][ty + i] = A[(y + ty + i) * n + b + tx];
		for (int j = 0; j < TILE; j += 16)
			Bs[ty][tx + j] = B[(b + ty) * n + x + tx + j];
		__syncthreads();
#pragma unroll 4
		for (int k = 0; k < DEPTH; k++)
			accumulate(sum, As[k] + ty, Bs[k] + tx);
		__syncthreads();
	}
	for (int i = 0; i < 4; i++)
		for (int j = 0; j < 4; j++)
			C[(y + ty + 16 * i) * n + x + tx + 16 * j] = sum[i][j];
}
