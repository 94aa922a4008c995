// honest: loads eight elements of B's column into registers, then goes through the four rows
constexpr int TILE = 32, ROWS = 8;

__global__ void four_rows(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[TILE][TILE], Bs[TILE][TILE];
	int tx = threadIdx.x, ty = threadIdx.y;
	int x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;
	float sum[4] = {0, 0, 0, 0};
	for (int b = 0; b < n; b += TILE) {
		for (int i = 0; i < 4; i++) {
			As[ty + ROWS * i][tx] = A[(y + ROWS * i) * n + b + tx];
			Bs[ty + ROWS * i][tx] = B[(b + ty + ROWS * i) * n + x];
		}
		__syncthreads();
		for (int first = 0; first < TILE; first += 8) {
			float column[8];
#pragma unroll
			for (int k = 0; k < 8; k++)
				column[k] = Bs[first + k][tx];
#pragma unroll
			for (int i = 0; i < 4; i++)
#pragma unroll
				for (int k = 0; k < 8; k++)
					sum[i] += As[ty + ROWS * i][first + k] * column[k];
		}
		__syncthreads();
	}
	for (int i = 0; i < 4; i++)
		C[(y + ROWS * i) * n + x] = sum[i];
}
