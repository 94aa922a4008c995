// honest: the thread keeps its stride of 16 in C; the tiles are permuted so that its words are neighbors there
constexpr int TILE = 64, DEPTH = 16;

__global__ void vectorized(float *C, const float *A, const float *B, int n)
{
	__shared__ __align__(16) float As[DEPTH][TILE + 4], Bs[DEPTH][TILE];
	int tx = threadIdx.x, ty = threadIdx.y;
	int x = blockIdx.x * TILE, y = blockIdx.y * TILE;
	float sum[4][4] = {};
	for (int b = 0; b < n; b += DEPTH) {
		// row or column r of the tile is stored at 4 * (r % 16) + r / 16
		for (int i = 0; i < 4; i++)
			As[tx][4 * ty + i] = A[(y + ty + 16 * i) * n + b + tx];
		for (int j = 0; j < 4; j++)
			Bs[ty][4 * tx + j] = B[(b + ty) * n + x + tx + 16 * j];
		__syncthreads();
#pragma unroll
		for (int k = 0; k < DEPTH; k++) {
			float4 p = *(const float4 *)&As[k][4 * ty], q = *(const float4 *)&Bs[k][4 * tx];
			float a[4] = {p.x, p.y, p.z, p.w}, w[4] = {q.x, q.y, q.z, q.w};
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
			C[(y + ty + 16 * i) * n + x + tx + 16 * j] = sum[i][j];
}
