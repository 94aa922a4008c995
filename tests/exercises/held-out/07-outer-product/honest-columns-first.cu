__global__ void outer_product(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[16][65], Bs[16][64];
	const int tx = threadIdx.x, ty = threadIdx.y;
	const float *a_from = A + (blockIdx.y * 64 + ty) * n + tx;
	const float *b_from = B + ty * n + blockIdx.x * 64 + tx;
	float c[16];
#pragma unroll
	for (int i = 0; i < 16; i++)
		c[i] = 0;

	for (int t = 0; t < n; t += 16, a_from += 16, b_from += 16 * n) {
		for (int i = 0; i < 4; i++) {
			As[tx][ty + 16 * i] = a_from[16 * i * n];
			Bs[ty][tx + 16 * i] = b_from[16 * i];
		}
		__syncthreads();
#pragma unroll
		for (int k = 0; k < 16; k++) {
			const float b0 = Bs[k][tx], b1 = Bs[k][tx + 16], b2 = Bs[k][tx + 32], b3 = Bs[k][tx + 48];
#pragma unroll
			for (int i = 0; i < 4; i++) {
				const float a = As[k][ty + 16 * i];
				c[4 * i] += a * b0;
				c[4 * i + 1] += a * b1;
				c[4 * i + 2] += a * b2;
				c[4 * i + 3] += a * b3;
			}
		}
		__syncthreads();
	}
	float *to = C + (blockIdx.y * 64 + ty) * n + blockIdx.x * 64 + tx;
#pragma unroll
	for (int i = 0; i < 16; i++)
		to[i / 4 * 16 * n + i % 4 * 16] = c[i];
}
