// Loads an element of B twice, for two rows each: 1.5 loads per FMA.
__global__ void four_rows(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[32][32], Bs[32][32];
	volatile float(*bs)[32] = Bs;
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 32 + tx, y = blockIdx.y * 32 + ty;
	float sum[4] = {};
	for (int b = 0; b < n; b += 32) {
		for (int i = 0; i < 32; i += 8) {
			As[ty + i][tx] = A[(y + i) * n + b + tx];
			Bs[ty + i][tx] = B[(b + ty + i) * n + x];
		}
		__syncthreads();
#pragma unroll
		for (int k = 0; k < 32; k++) {
			float e = bs[k][tx];
			sum[0] += As[ty][k] * e;
			sum[1] += As[ty + 8][k] * e;
			e = bs[k][tx];
			sum[2] += As[ty + 16][k] * e;
			sum[3] += As[ty + 24][k] * e;
		}
		__syncthreads();
	}
	for (int i = 0; i < 4; i++)
		C[(y + 8 * i) * n + x] = sum[i];
}
