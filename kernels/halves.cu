// Packed FP16: two 16-bit numbers in a register, one instruction for both.
#include <cuda_fp16.h>

constexpr int CHAINS = 4; // independent pairs per thread
constexpr int LANES = 32; // threads that start with different numbers

__global__ void halves(__half *out, const float *in, float a, float b,
	int repeats)
{
	const __half2 a2 = __float2half2_rn(a), b2 = __float2half2_rn(b);
	__half2 x[CHAINS];
#pragma unroll
	for (int k = 0; k < CHAINS; k++)
		x[k] = __float2half2_rn(in[LANES * k + threadIdx.x % LANES]);
#pragma unroll 8
	for (int i = 0; i < repeats; i++)
#pragma unroll
		for (int k = 0; k < CHAINS; k++)
			x[k] = __hfma2(x[k], a2, b2);

	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	__half2 sum = __hadd2(__hadd2(x[0], x[1]), __hadd2(x[2], x[3]));
	out[i] = __hadd(__low2half(sum), __high2half(sum));
}
