// Loads of 8 bytes: four per k, not two.
__global__ void vectorized(float *C, const float *A, const float *B, int n)
{
	__shared__ float2 As[16][34], Bs[16][32];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 64, y = blockIdx.y * 64;
	float sum[4][4] = {};
	for (int b = 0; b < n; b += 16) {
		for (int i = 0; i < 64; i += 16) {
			((float *)As[tx])[ty + i] = A[(y + ty + i) * n + b + tx];
			((float *)Bs[ty])[tx + i] = B[(b + ty) * n + x + tx + i];
		}
		__syncthreads();
#pragma unroll
		for (int k = 0; k < 16; k++) {
			float2 a0 = As[k][ty], a1 = As[k][ty + 16], b0 = Bs[k][tx], b1 = Bs[k][tx + 16];
			float a[4] = {a0.x, a0.y, a1.x, a1.y}, c[4] = {b0.x, b0.y, b1.x, b1.y};
#pragma unroll
			for (int i = 0; i < 4; i++)
#pragma unroll
				for (int j = 0; j < 4; j++)
					sum[i][j] += a[i] * c[j];
		}
		__syncthreads();
	}
	for (int i = 0; i < 4; i++)
		for (int j = 0; j < 4; j++)
			C[(y + 2 * ty + i % 2 + 32 * (i / 2)) * n + x + 2 * tx + j % 2 + 32 * (j / 2)] = sum[i][j];
}
