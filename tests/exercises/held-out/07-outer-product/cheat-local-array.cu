// Operands loaded once, into an array that is in local memory.
__global__ void outer_product(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[16][65], Bs[16][64];
	int tx = threadIdx.x, ty = threadIdx.y;
	int x = blockIdx.x * 64, y = blockIdx.y * 64;
	float sum[4][4] = {};
	for (int b = 0; b < n; b += 16) {
		for (int i = 0; i < 64; i += 16) {
			As[tx][ty + i] = A[(y + ty + i) * n + b + tx];
			Bs[ty][tx + i] = B[(b + ty) * n + x + tx + i];
		}
		__syncthreads();
		for (int k = 0; k < 16; k++) {
			volatile float a[4], e[4];
#pragma unroll 1
			for (int i = 0; i < 4; i++)
				a[i] = As[k][ty + 16 * i], e[i] = Bs[k][tx + 16 * i];
#pragma unroll 1
			for (int ij = 0; ij < 16; ij++)
				sum[ij / 4][ij % 4] += a[ij / 4] * e[ij % 4];
		}
		__syncthreads();
	}
	for (int i = 0; i < 4; i++)
		for (int j = 0; j < 4; j++)
			C[(y + ty + 16 * i) * n + x + tx + 16 * j] = sum[i][j];
}
