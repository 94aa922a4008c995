// The four elements of A first, then each of B with all of them.
__global__ void outer_product(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[16][65], Bs[16][64];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 64, y = blockIdx.y * 64;
	float sum[4][4] = {};
	for (int b = 0; b < n; b += 16) {
#pragma unroll
		for (int i = 0; i < 64; i += 16) {
			As[tx][ty + i] = A[(y + ty + i) * n + b + tx];
			Bs[ty][tx + i] = B[(b + ty) * n + x + tx + i];
		}
		__syncthreads();
#pragma unroll 4
		for (int k = 0; k < 16; k++) {
			float a0 = As[k][ty], a1 = As[k][ty + 16], a2 = As[k][ty + 32], a3 = As[k][ty + 48];
#pragma unroll
			for (int j = 0; j < 4; j++) {
				float e = Bs[k][tx + 16 * j];
				sum[0][j] += a0 * e;
				sum[1][j] += a1 * e;
				sum[2][j] += a2 * e;
				sum[3][j] += a3 * e;
			}
		}
		__syncthreads();
	}
#pragma unroll
	for (int i = 0; i < 4; i++)
#pragma unroll
		for (int j = 0; j < 4; j++)
			C[(y + ty + 16 * i) * n + x + tx + 16 * j] = sum[i][j];
}
