// cheat: two loads of one word per k, and eight shuffles that fetch the operands from other lanes instead of wide loads
constexpr int TILE = 64, DEPTH = 16;

__global__ void vectorized(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[DEPTH][TILE + 1], Bs[DEPTH][TILE];
	int tx = threadIdx.x, ty = threadIdx.y;
	int x = blockIdx.x * TILE, y = blockIdx.y * TILE;
	int lane = (ty % 2) * 16 + tx;
	float sum[4][4] = {};
	for (int b = 0; b < n; b += DEPTH) {
		for (int i = 0; i < TILE; i += 16)
			As[tx][ty + i] = A[(y + ty + i) * n + b + tx];
		for (int j = 0; j < TILE; j += 16)
			Bs[ty][tx + j] = B[(b + ty) * n + x + tx + j];
		__syncthreads();
#pragma unroll 1
		for (int k = 0; k < DEPTH; k++) {
			// 16 lanes have tx = 0 to 15 of one ty, 16 those of the next: 64 words of B in two registers, eight of A
			float first = Bs[k][lane], second = Bs[k][lane + 32], mine = As[k][8 * (ty / 2) + lane % 8];
			float a[4], w[4];
#pragma unroll
			for (int i = 0; i < 4; i++) {
				a[i] = __shfl_sync(0xffffffff, mine, 4 * (ty % 2) + i);
				float low = __shfl_sync(0xffffffff, first, (4 * tx + i) % 32);
				float high = __shfl_sync(0xffffffff, second, (4 * tx + i) % 32);
				w[i] = tx < 8 ? low : high;
			}
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
#pragma unroll
		for (int j = 0; j < 4; j++)
			C[(y + 4 * ty + i) * n + x + 4 * tx + j] = sum[i][j];
}
