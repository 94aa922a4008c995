// Both products as a rounded value and its exact error; the values and the errors are subtracted apart.
__global__ void determinant(float *out, const float *a, const float *b, const float *c, const float *d, int n)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		const float ad = __fmul_rn(a[i], d[i]), bc = __fmul_rn(b[i], c[i]);
		const float ad_rest = __fmaf_rn(a[i], d[i], -ad), bc_rest = __fmaf_rn(b[i], c[i], -bc);
		out[i] = __fadd_rn(__fsub_rn(ad, bc), __fsub_rn(ad_rest, bc_rest));
	}
}
