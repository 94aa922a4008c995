#include <cuda_fp16.h>
#include <cuda_bf16.h>

extern "C" __global__ void halves(float *out, const float *in)
{
	int i = threadIdx.x;
	__half a = __float2half(in[i]), b = __float2half(0.25f);
	out[i] = __half2float(__hadd(a, b));
	out[32 + i] = __half2float(__hmul(a, a));
	out[64 + i] = __half2float(__hfma(a, b, a));
	__half2 p = __halves2half2(a, b), q = __hadd2(p, p);
	out[96 + i] = __low2float(q) + __high2float(q);
	out[128 + i] = __hgt(a, b) ? 1.0f : 0.0f;
	out[160 + i] = (float)__half2int_rz(a);
}

extern "C" __global__ void brains(float *out, const float *in)
{
	int i = threadIdx.x;
	__nv_bfloat16 a = __float2bfloat16(in[i]);
	out[i] = __bfloat162float(a);
	out[32 + i] = __bfloat162float(__hadd(a, __float2bfloat16(1.0f)));
}

/* Cases (golden.c)

# all values are multiples of 1/8 below 4: exact in half precision, squares too
case half precision
kernel halves
block 32
buffer out f32 192 0
buffer in f32 32 i * 0.125
arg out
arg in
expect out i < 32 ? i * 0.125 + 0.25 : i < 64 ? (i - 32) * (i - 32) / 64.0 : i < 96 ? (i - 64) * 0.15625 : i < 128 ? (i - 96) * 0.25 + 0.5 : i < 160 ? (i - 128 > 2) : (i - 160) / 8

case bfloat16
kernel brains
block 32
buffer out f32 64 0
buffer in f32 32 i * 0.5
arg out
arg in
expect out i < 32 ? i * 0.5 : (i - 32) * 0.5 + 1
*/
