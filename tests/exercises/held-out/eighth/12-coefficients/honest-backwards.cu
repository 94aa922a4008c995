// honest: from the last coefficient to the first
constexpr int TAPS = 32;
__constant__ float coefficients[TAPS];

__global__ void filter(float *out, const float *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
#pragma unroll 4
	for (int t = TAPS; t-- > 0;)
		sum += in[i + t] * coefficients[t];
	out[i] = sum;
}
