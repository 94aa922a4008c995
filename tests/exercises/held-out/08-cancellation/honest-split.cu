// Products in halves, by Dekker's splitting: no FMA, thirty operations.
__device__ void product(float x, float y, float &p, float &e)
{
	p = __fmul_rn(x, y);
	float cx = __fmul_rn(4097.0f, x), hx = __fsub_rn(cx, __fsub_rn(cx, x)), lx = __fsub_rn(x, hx);
	float cy = __fmul_rn(4097.0f, y), hy = __fsub_rn(cy, __fsub_rn(cy, y)), ly = __fsub_rn(y, hy);
	e = __fsub_rn(__fmul_rn(hx, hy), p);
	e = __fadd_rn(e, __fmul_rn(hx, ly));
	e = __fadd_rn(e, __fmul_rn(lx, hy));
	e = __fadd_rn(e, __fmul_rn(lx, ly));
}
__global__ void determinant(float *out, const float *a, const float *b,
	const float *c, const float *d, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		float p, e, q, f;
		product(a[i], d[i], p, e);
		product(b[i], c[i], q, f);
		out[i] = (p - q) + (e - f);
	}
}
