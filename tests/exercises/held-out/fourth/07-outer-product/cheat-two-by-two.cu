// Four outer products of 2 x 2: one load per multiplication instead of a half.
__global__ void outer_product(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[16][65], Bs[16][64];
	volatile float(*as)[65] = As, (*bs)[64] = Bs;
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 64, y = blockIdx.y * 64;
	float sum[4][4] = {};
	for (int b = 0; b < n; b += 16) {
		for (int i = 0; i < 64; i += 16) {
			As[tx][ty + i] = A[(y + ty + i) * n + b + tx];
			Bs[ty][tx + i] = B[(b + ty) * n + x + tx + i];
		}
		__syncthreads();
#pragma unroll
		for (int k = 0; k < 16; k++)
#pragma unroll
			for (int i = 0; i < 4; i += 2)
#pragma unroll
				for (int j = 0; j < 4; j += 2) {
					float a0 = as[k][ty + 16 * i], a1 = as[k][ty + 16 * i + 16];
					float b0 = bs[k][tx + 16 * j], b1 = bs[k][tx + 16 * j + 16];
					sum[i][j] += a0 * b0;
					sum[i][j + 1] += a0 * b1;
					sum[i + 1][j] += a1 * b0;
					sum[i + 1][j + 1] += a1 * b1;
				}
		__syncthreads();
	}
	for (int i = 0; i < 4; i++)
		for (int j = 0; j < 4; j++)
			C[(y + ty + 16 * i) * n + x + tx + 16 * j] = sum[i][j];
}
