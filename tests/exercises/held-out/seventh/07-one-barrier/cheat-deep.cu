// tiles of depth 32 with two barriers: one per 16, but no second pair
__global__ void one_barrier(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[2][16][16], Bs[2][16][16];
	int tx = threadIdx.x, ty = threadIdx.y;
	const float *a = A + (blockIdx.y * 16 + ty) * n + tx, *b = B + ty * n + blockIdx.x * 16 + tx;
	float sum = 0;
	for (int t = 0; t < n; t += 32) {
		for (int h = 0; h < 2; h++) if (t + 16 * h < n) { As[h][ty][tx] = a[t + 16 * h]; Bs[h][ty][tx] = b[(t + 16 * h) * n]; }
		__syncthreads();
		for (int h = 0; h < 2; h++) if (t + 16 * h < n) for (int k = 0; k < 16; k++) sum += As[h][ty][k] * Bs[h][k][tx];
		__syncthreads();
	}
	C[(blockIdx.y * 16 + ty) * n + blockIdx.x * 16 + tx] = sum;
}
