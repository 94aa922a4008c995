// cuda_fp8.h
#include <cuda_fp8.h>
extern "C" __global__ void k(unsigned char *o, float *f, double *d, __half *h, __nv_bfloat16 *b) {
	int i = threadIdx.x;
	__nv_fp8_e4m3 x(f[i]);
	__nv_fp8_e5m2 y(h[i]);
	__nv_fp8_e4m3 z(d[i]);
	__nv_fp8_e5m2 w(b[i]);
	o[i] = x.__x;
	o[i + 32] = y.__x;
	o[i + 64] = z.__x;
	o[i + 96] = w.__x;
	f[i + 32] = float(x) + float(y) + float(z) + float(w);
	__nv_fp8x4_e4m3 q(make_float4(f[i], f[i + 1], f[i + 2], f[i + 3]));
	float4 r = float4(q);
	f[i + 64] = r.x + r.y + r.z + r.w;
	h[i + 32] = __half(x);
}
