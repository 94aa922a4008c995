__global__ void four_rows(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[32][32], Bs[32][32];
	const int tx = threadIdx.x, ty = threadIdx.y;
	const int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
	float s0 = 0, s1 = 0, s2 = 0, s3 = 0;

	for (int b = 0; b < n; b += 32) {
		for (int i = 0; i < 32; i += 8) {
			As[ty + i][tx] = A[(row + i) * n + b + tx];
			Bs[ty + i][tx] = B[(b + ty + i) * n + column];
		}
		__syncthreads();
#pragma unroll 8
		for (int k = 0; k < 32; k++) {
			const float e = Bs[k][tx];
			s0 = fmaf(As[ty][k], e, s0);
			s1 = fmaf(As[ty + 8][k], e, s1);
			s2 = fmaf(As[ty + 16][k], e, s2);
			s3 = fmaf(As[ty + 24][k], e, s3);
		}
		__syncthreads();
	}
	float *c = C + row * n + column;
	c[0] = s0;
	c[8 * n] = s1;
	c[16 * n] = s2;
	c[24 * n] = s3;
}
