// Loads B's element twice, for two rows each.
__global__ void four_rows(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[32][32], Bs[32][32];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 32 + tx, y = blockIdx.y * 32 + ty;
	float sum[4] = {};
	for (int b = 0; b < n; b += 32) {
		for (int i = 0; i < 4; i++) {
			As[ty + 8 * i][tx] = A[(y + 8 * i) * n + b + tx];
			Bs[ty + 8 * i][tx] = B[(b + ty + 8 * i) * n + x];
		}
		__syncthreads();
#pragma unroll
		for (int h = 0; h < 4; h += 2)
#pragma unroll 4
			for (int k = 0; k < 32; k++) {
				float e = Bs[k][tx];
				sum[h] += As[ty + 8 * h][k] * e;
				sum[h + 1] += As[ty + 8 * h + 8][k] * e;
			}
		__syncthreads();
	}
	for (int i = 0; i < 4; i++)
		C[(y + 8 * i) * n + x] = sum[i];
}
