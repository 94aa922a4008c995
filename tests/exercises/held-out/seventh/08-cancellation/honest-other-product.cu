// the rounding error of a d instead of b c
__global__ void determinant(float *out, const float *a, const float *b, const float *c, const float *d, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
if (i < n) { const float p = __fmul_rn(a[i], d[i]); out[i] = __fadd_rn(__fmaf_rn(-b[i], c[i], p), __fmaf_rn(a[i], d[i], -p)); }
}
