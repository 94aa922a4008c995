template <int R> __device__ __forceinline__ void step(float (&sum)[R], const float (&a)[32][32], const float *b, int ty)
{
#pragma unroll
	for (int k = 0; k < 32; k++) {
		const float e = b[k * 32];
#pragma unroll
		for (int i = 0; i < R; i++)
			sum[i] = fmaf(a[ty + 8 * i][k], e, sum[i]);
	}
}
__global__ void four_rows(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[32][32], Bs[32][32];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 32 + tx, y = blockIdx.y * 32 + ty;
	float sum[4] = {0, 0, 0, 0};
	for (int b = 0; b < n; b += 32) {
#pragma unroll
		for (int i = 0; i < 32; i += 8) {
			As[ty + i][tx] = A[(y + i) * n + b + tx];
			Bs[ty + i][tx] = B[(b + ty + i) * n + x];
		}
		__syncthreads();
		step(sum, As, &Bs[0][tx], ty);
		__syncthreads();
	}
#pragma unroll
	for (int i = 0; i < 4; i++)
		C[(y + 8 * i) * n + x] = sum[i];
}
