// B has no tile at all: each element comes from global memory, once per four FMAs.
__global__ void four_rows(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[32][32];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 32 + tx, y = blockIdx.y * 32 + ty;
	float sum[4] = {};
	for (int b = 0; b < n; b += 32) {
		for (int i = 0; i < 32; i += 8)
			As[ty + i][tx] = A[(y + i) * n + b + tx];
		__syncthreads();
		for (int k = 0; k < 32; k++) {
			float e = B[(b + k) * n + x];
			for (int i = 0; i < 4; i++)
				sum[i] += As[ty + 8 * i][k] * e;
		}
		__syncthreads();
	}
	for (int i = 0; i < 4; i++)
		C[(y + 8 * i) * n + x] = sum[i];
}
