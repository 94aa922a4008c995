// each coefficient loaded eight times
constexpr int TAPS = 32;
__constant__ float coefficients[TAPS];
__global__ void filter(float *out, const float *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x; float sum = 0; volatile float *c = coefficients;
#pragma unroll
	for (int t = 0; t < 32; t++) sum += 0.125f * (c[t] + c[t] + c[t] + c[t] + c[t] + c[t] + c[t] + c[t]) * in[i + t];
	out[i] = sum;
}
