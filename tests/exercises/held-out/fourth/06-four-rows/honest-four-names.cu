// Written out by hand with four accumulators.
__global__ void four_rows(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[32][32], Bs[32][32];
	const int tx = threadIdx.x, ty = threadIdx.y;
	const float *a = A + (blockIdx.y * 32 + ty) * n + tx, *b = B + ty * n + blockIdx.x * 32 + tx;
	float c0 = 0, c1 = 0, c2 = 0, c3 = 0;
	for (int t = 0; t < n; t += 32, a += 32, b += 32 * n) {
		As[ty][tx] = a[0];
		As[ty + 8][tx] = a[8 * n];
		As[ty + 16][tx] = a[16 * n];
		As[ty + 24][tx] = a[24 * n];
		Bs[ty][tx] = b[0];
		Bs[ty + 8][tx] = b[8 * n];
		Bs[ty + 16][tx] = b[16 * n];
		Bs[ty + 24][tx] = b[24 * n];
		__syncthreads();
#pragma unroll 8
		for (int k = 0; k < 32; k++) {
			const float e = Bs[k][tx];
			c0 = fmaf(As[ty][k], e, c0);
			c1 = fmaf(As[ty + 8][k], e, c1);
			c2 = fmaf(As[ty + 16][k], e, c2);
			c3 = fmaf(As[ty + 24][k], e, c3);
		}
		__syncthreads();
	}
	float *c = C + (blockIdx.y * 32 + ty) * n + blockIdx.x * 32 + tx;
	c[0] = c0;
	c[8 * n] = c1;
	c[16 * n] = c2;
	c[24 * n] = c3;
}
