__global__ void four_rows(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[32][32], Bs[32][32];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 32 + tx, y = blockIdx.y * 32;
	float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
	for (int b = 0; b < n; b += 32) {
		for (int r = 4 * ty; r < 4 * ty + 4; r++) {
			As[r][tx] = A[(y + r) * n + b + tx];
			Bs[r][tx] = B[(b + r) * n + x];
		}
		__syncthreads();
#pragma unroll 8
		for (int k = 0; k < 32; k++) {
			float e = Bs[k][tx];
			s0 += As[4 * ty][k] * e;
			s1 += As[4 * ty + 1][k] * e;
			s2 += As[4 * ty + 2][k] * e;
			s3 += As[4 * ty + 3][k] * e;
		}
		__syncthreads();
	}
	float *c = C + (y + 4 * ty) * n + x;
	c[0] = s0;
	c[n] = s1;
	c[2 * n] = s2;
	c[3 * n] = s3;
}
