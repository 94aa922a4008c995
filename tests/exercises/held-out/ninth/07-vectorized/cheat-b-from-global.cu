// cheat: 16-byte loads, but those of B go to global memory for each k: the tile of B is gone
constexpr int TILE = 64;  // rows and columns of C for a block
constexpr int DEPTH = 16; // columns of A and rows of B at a time

__global__ void vectorized(float *C, const float *A, const float *B, int n)
{
	__shared__ __align__(16) float As[DEPTH][TILE + 4];
	int tx = threadIdx.x, ty = threadIdx.y;
	int x = blockIdx.x * TILE, y = blockIdx.y * TILE; // the block's origin in C

	float sum[4][4] = {};
	for (int b = 0; b < n; b += DEPTH) {
		for (int i = 0; i < TILE; i += 16)
			As[tx][ty + i] = A[(y + ty + i) * n + b + tx];
		__syncthreads();
#pragma unroll
		for (int k = 0; k < DEPTH; k++) {
			float a[4], b_row[4];
			*(float4 *)a = *(const float4 *)&As[k][4 * ty];
			*(float4 *)b_row = *(const float4 *)&B[(b + k) * n + x + 4 * tx];
#pragma unroll
			for (int i = 0; i < 4; i++)
#pragma unroll
				for (int j = 0; j < 4; j++)
					sum[i][j] += a[i] * b_row[j];
		}
		__syncthreads();
	}
	for (int i = 0; i < 4; i++) {
		float4 row = make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
		*(float4 *)&C[(y + 4 * ty + i) * n + x + 4 * tx] = row;
	}
}
