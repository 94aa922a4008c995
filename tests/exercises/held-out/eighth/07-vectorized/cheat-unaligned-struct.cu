// cheat: a structure of four floats is copied, but without an alignment of 16 bytes these are four loads each
constexpr int TILE = 64, DEPTH = 16;

struct Four {
	float v[4];
};

__global__ void vectorized(float *C, const float *A, const float *B, int n)
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
#pragma unroll
		for (int k = 0; k < DEPTH; k++) {
			const Four a = *(const Four *)&As[k][4 * ty], w = *(const Four *)&Bs[k][4 * tx];
#pragma unroll
			for (int i = 0; i < 4; i++)
#pragma unroll
				for (int j = 0; j < 4; j++)
					sum[i][j] += a.v[i] * w.v[j];
		}
		__syncthreads();
	}
#pragma unroll
	for (int i = 0; i < 4; i++)
#pragma unroll
		for (int j = 0; j < 4; j++)
			C[(y + 4 * ty + i) * n + x + 4 * tx + j] = sum[i][j];
}
