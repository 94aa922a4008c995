// Four of the eight warps compute eight rows.
constexpr int TILE = 32;
constexpr int ROWS = 8; // of threads

__global__ void four_rows(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[TILE][TILE], Bs[TILE][TILE];
	int tx = threadIdx.x, ty = threadIdx.y;
	int x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;

	float sum[8] = {};
	for (int b = 0; b < n; b += TILE) {
		for (int i = 0; i < 4; i++) {
			As[ty + ROWS * i][tx] = A[(y + ROWS * i) * n + b + tx];
			Bs[ty + ROWS * i][tx] = B[(b + ty + ROWS * i) * n + x];
		}
		__syncthreads();
#pragma unroll 4
		for (int k = 0; k < (ty < 4 ? TILE : 0); k++) {
			float b_element = Bs[k][tx];
#pragma unroll
			for (int i = 0; i < 8; i++)
				sum[i] += As[ty % 4 + 4 * i][k] * b_element;
		}
		__syncthreads();
	}
	if (ty < 4)
		for (int i = 0; i < 8; i++)
			C[(y + 4 * i) * n + x] = sum[i];
}
