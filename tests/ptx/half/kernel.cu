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
