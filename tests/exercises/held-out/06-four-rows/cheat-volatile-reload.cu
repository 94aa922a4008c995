// Looks right, but the element is loaded from shared memory each time.
__global__ void four_rows(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[32][32], Bs[32][32];
	int tx = threadIdx.x, ty = threadIdx.y;
	int x = blockIdx.x * 32 + tx, y = blockIdx.y * 32 + ty;
	float sum[4] = {};
	for (int b = 0; b < n; b += 32) {
		for (int i = 0; i < 4; i++) {
			As[ty + 8 * i][tx] = A[(y + 8 * i) * n + b + tx];
			Bs[ty + 8 * i][tx] = B[(b + ty + 8 * i) * n + x];
		}
		__syncthreads();
		for (int k = 0; k < 32; k++)
#pragma unroll
			for (int i = 0; i < 4; i++)
				sum[i] += As[ty + 8 * i][k] * *(volatile float *)&Bs[k][tx];
		__syncthreads();
	}
	for (int i = 0; i < 4; i++)
		C[(y + 8 * i) * n + x] = sum[i];
}
