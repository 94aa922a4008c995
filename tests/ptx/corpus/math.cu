// Arithmetic: integer widths, rounding modes, carries, bit fiddling, half precision, packed bytes, the math library.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void integers(int *a, unsigned *u, long long *l, short *s, char *c, unsigned long long *ul) {
	int i = threadIdx.x;
	a[i] = a[i] / a[i + 1] + a[i] % 7 + u[i] / 10 + __mulhi(a[i], a[2]) + __mul24(a[i], 3);
	l[i] = l[i] / l[1] + l[i] % (l[2] | 1) + __mul64hi(l[i], 99) + ((long long)a[i] << (i & 63)) + (l[3] >> i);
	s[i] = s[i] * s[1] + (short)a[i] - (s[i] >> 3);
	c[i] = c[i] / 3 + (c[i] < s[i]);
	u[i] = __popc(u[i]) + __clz(a[i]) + __ffs(a[i]) + __brev(u[i]) + __byte_perm(u[i], u[1], 0x3210) +
		   __funnelshift_l(u[i], u[1], i) + __funnelshift_rc(u[i], u[1], i) + __sad(a[i], 3, u[2]) + __usad(u[i], 3, 4);
	u[i] += __dp4a(u[i], u[1], u[2]) + __vabsdiffu4(u[i], u[1]) + __vadd4(u[i], u[1]) + __vcmpgtu4(u[i], u[2]) + min(u[i], 3u);
	a[i] = __dp2a_lo(a[i], a[2], a[3]) + abs(a[i]) + max(a[i], -3) + __hadd(a[i], 3) + __rhadd(a[i], a[1]) + (a[i] ? 1 : 0);
	unsigned __int128 wide = (unsigned __int128)ul[i] * ul[1] + ul[2];
	ul[i] = (unsigned long long)(wide >> 64) ^ (unsigned long long)wide ^ __popcll(ul[1]) ^ __clzll(l[1]) ^ __brevll(ul[2]);
	unsigned low, high;
	asm("add.cc.u32 %0, %2, %3;\n\taddc.u32 %1, %4, 0;" : "=r"(low), "=r"(high) : "r"(u[0]), "r"(u[1]), "r"(u[2]));
	asm volatile("{ /* braces */\n"
				 ".reg .pred p;\n"
				 ".reg .b32 t<2>;\n"
				 "setp.eq.u32 p, %1, 0; // compare\n"
				 "AGAIN: add.u32 t0, %0, 1; mov.b32 t1, t0;\n"
				 "@!p bra DONE;\n"
				 "add.u32 %0, t1, t0;\n"
				 "DONE:\n"
				 "}"
				 : "+r"(low) : "r"(high));
	asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 3; @p bra DONE; add.u32 %0, %0, 7; DONE: }" : "+r"(low) : "r"(a[0]));
	asm("bfe.u32 %0, %1, 3, 5; bfi.b32 %0, %0, %1, 0x4, 0b11; bfind.shiftamt.u32 %0, %0; lop3.b32 %0, %0, %1, 017, 0xE8;"
		: "+r"(high) : "r"(low));
	u[i] += low + high;
}

__global__ void floats(float *f, double *d, int *n, unsigned *u) {
	int i = threadIdx.x;
	float x = f[i], y = f[i + 1];
	double p = d[i], q = d[i + 1];
	f[i] = __fadd_rn(x, y) + __fmul_rz(x, y) + __fdiv_ru(x, y) + __fsqrt_rd(x) + __frcp_rn(y) + __fdividef(x, y) + fmaf(x, y, 1.0f);
	f[i] += sinf(x) * cosf(y) + __sinf(x) + __expf(y) + __logf(x) + exp2f(x) + rsqrtf(y) + powf(x, y) + tanhf(x) + erff(y);
	f[i] += floorf(x) + ceilf(y) + truncf(x) + rintf(y) + roundf(x) + fminf(x, y) + fmaxf(x, y) + fabsf(x) + copysignf(x, y) + fmodf(x, y);
	f[i] += isnan(x) + isinf(y) + signbit(x) + isfinite(y) + __saturatef(x) + __fmaf_ieee_rn(x, y, 2.0f);
	d[i] = sqrt(p) + p / q + fma(p, q, 1.0) + sin(p) + exp(q) + log(p) + pow(p, q) + __dadd_ru(p, q) + __drcp_rn(q) + rsqrt(p) + cbrt(q);
	n[i] = __float2int_rn(x) + __float2int_rz(y) + __double2int_ru(p) + __float_as_int(x) + (int)__double2ll_rd(q) + __double2hiint(p);
	u[i] = __float2uint_rd(x) + (unsigned)p + (unsigned char)y + (unsigned short)q;
	f[i] += __int_as_float(n[i]) + __uint2float_rz(u[i]) + (float)p + (float)n[i] + __ll2float_rn(n[i] * 3ll);
	float4 v = ((float4 *)f)[i];
	double2 w = ((double2 *)d)[i];
	((float4 *)f)[i + 9] = make_float4(v.y, v.z, v.w, v.x);
	((double2 *)d)[i + 9] = make_double2(w.y, w.x);
}

__global__ void halves(__half *h, __half2 *h2, __nv_bfloat16 *b, __nv_bfloat162 *b2, float *f) {
	int i = threadIdx.x;
	h[i] = __hadd(h[i], h[1]) * h[2] + __float2half(f[i]) / h[3];
	h2[i] = __hfma2(h2[i], h2[1], h2[2]);
	h2[i] = __hmax2(h2[i], __h2div(h2[1], h2exp2(h2[2])));
	if (__hgt(h[i], h[4]) && __hbgt2(h2[0], h2[1])) h[5] = hsqrt(h[i]);
	b[i] = __hadd(b[i], b[1]) * __float2bfloat16(f[1]);
	b2[i] = __hfma2(b2[i], b2[1], b2[2]);
	f[i] = __half2float(h[i]) + __bfloat162float(b[i]) + __low2float(h2[i]);
	atomicAdd(h2, h2[i]);
}
