// cheat: the single-precision result is corrected with a remainder that is computed in double precision
__global__ void determinant(float *out, const float *a, const float *b, const float *c, const float *d, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		float p = __fmul_rn(a[i], d[i]), q = __fmul_rn(b[i], c[i]);
		float coarse = p - q;
		double lost = ((double)a[i] * d[i] - p) - ((double)b[i] * c[i] - q);
		out[i] = coarse + __double2float_rn(lost);
	}
}
