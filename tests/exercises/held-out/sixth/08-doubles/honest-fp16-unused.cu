#include <cuda_fp16.h>

__global__ void fade(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
float x = in[i]; __half h = __float2half(0.299f); out[i] = 0.299f * x + 0.587f * (1.0f - x) + 0.114f * x * x + (__half2float(h) - __half2float(h));
	}
}
