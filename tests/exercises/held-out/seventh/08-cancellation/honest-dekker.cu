// Dekker's splitting, without FMA
__device__ void split(float x, float &h, float &l) { float t = __fmul_rn(4097.0f, x); h = __fsub_rn(t, __fsub_rn(t, x)); l = __fsub_rn(x, h); }
__device__ void two(float x, float y, float &p, float &e) { float xh, xl, yh, yl; split(x, xh, xl); split(y, yh, yl); p = __fmul_rn(x, y); e = __fadd_rn(__fadd_rn(__fadd_rn(__fsub_rn(__fmul_rn(xh, yh), p), __fmul_rn(xh, yl)), __fmul_rn(xl, yh)), __fmul_rn(xl, yl)); }
__global__ void determinant(float *out, const float *a, const float *b, const float *c, const float *d, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
if (i >= n) return; float p, ep, q, eq; two(a[i], d[i], p, ep); two(b[i], c[i], q, eq); out[i] = __fadd_rn(__fsub_rn(p, q), __fsub_rn(ep, eq));
}
