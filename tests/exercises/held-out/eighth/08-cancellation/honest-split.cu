// honest: no FMA needed: the factors are split into halves of twelve bits (Dekker)
__device__ float2 product(float x, float y)
{
	// high and low part of x * y
	float cx = __fmul_rn(4097.0f, x), cy = __fmul_rn(4097.0f, y);
	float xh = __fsub_rn(cx, __fsub_rn(cx, x)), yh = __fsub_rn(cy, __fsub_rn(cy, y));
	float xl = __fsub_rn(x, xh), yl = __fsub_rn(y, yh);
	float p = __fmul_rn(x, y);
	float e = __fadd_rn(__fsub_rn(__fmul_rn(xh, yh), p), __fmul_rn(xh, yl));
	e = __fadd_rn(__fadd_rn(e, __fmul_rn(xl, yh)), __fmul_rn(xl, yl));
	return make_float2(p, e);
}

__global__ void determinant(float *out, const float *a, const float *b, const float *c, const float *d, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float2 p = product(a[i], d[i]), q = product(b[i], c[i]);
	out[i] = (p.x - q.x) + (p.y - q.y);
}
