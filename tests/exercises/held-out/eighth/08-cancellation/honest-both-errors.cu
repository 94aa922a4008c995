// honest: the errors of both products are computed, and added to their difference
__global__ void determinant(float *out, const float *a, const float *b, const float *c, const float *d, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		float p = __fmul_rn(a[i], d[i]), q = __fmul_rn(b[i], c[i]);
		float p_error = __fmaf_rn(a[i], d[i], -p);
		float q_error = __fmaf_rn(b[i], c[i], -q);
		out[i] = (p - q) + (p_error - q_error);
	}
}
