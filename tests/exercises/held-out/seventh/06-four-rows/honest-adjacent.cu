// four adjacent rows, a struct of sums, k backwards
struct Four { float a, b, c, d; };
__global__ void four_rows(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[32][32], Bs[32][32];
	unsigned tx = threadIdx.x, ty = threadIdx.y;
	const float *a = A + (size_t)(blockIdx.y * 32) * n + tx, *b = B + blockIdx.x * 32 + tx;
	Four s = {};
	for (int t = 0; t < n; t += 32) {
		for (int r = ty; r < 32; r += 8) { As[r][tx] = a[r * n + t]; Bs[r][tx] = b[(t + r) * n]; }
		__syncthreads();
#pragma unroll 8
		for (int k = 31; k >= 0; k--) {
			float e = Bs[k][tx];
			s.a = fmaf(As[4 * ty][k], e, s.a); s.b = fmaf(As[4 * ty + 1][k], e, s.b);
			s.c = fmaf(As[4 * ty + 2][k], e, s.c); s.d = fmaf(As[4 * ty + 3][k], e, s.d);
		}
		__syncthreads();
	}
	float *c = C + (size_t)(blockIdx.y * 32 + 4 * ty) * n + blockIdx.x * 32 + tx;
	c[0] = s.a; c[n] = s.b; c[2 * n] = s.c; c[3 * n] = s.d;
}
