// cheat: an element of A is used four times, but the four of B are loaded again for each row: 20 loads for 16
constexpr int TILE = 64;  // rows and columns of C for a block
constexpr int DEPTH = 16; // columns of A and rows of B at a time

__global__ void outer_product(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[DEPTH][TILE + 1], Bs[DEPTH][TILE];
	int tx = threadIdx.x, ty = threadIdx.y;
	int x = blockIdx.x * TILE, y = blockIdx.y * TILE; // the block's origin in C

	float sum[4][4] = {};
	for (int b = 0; b < n; b += DEPTH) {
		for (int i = 0; i < TILE; i += 16)
			As[tx][ty + i] = A[(y + ty + i) * n + b + tx];
		for (int j = 0; j < TILE; j += 16)
			Bs[ty][tx + j] = B[(b + ty) * n + x + tx + j];
		__syncthreads();
#pragma unroll
		for (int i = 0; i < 4; i++)
#pragma unroll 1
			for (int k = 0; k < DEPTH; k++) {
				float a = As[k][ty + 16 * i];
#pragma unroll
				for (int j = 0; j < 4; j++)
					sum[i][j] += a * Bs[k][tx + 16 * j];
			}
		__syncthreads();
	}
	for (int i = 0; i < 4; i++)
		for (int j = 0; j < 4; j++)
			C[(y + ty + 16 * i) * n + x + tx + 16 * j] = sum[i][j];
}
