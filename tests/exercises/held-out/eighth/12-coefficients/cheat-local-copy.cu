// cheat: every thread copies the coefficients into a local array, and rotates through that
constexpr int TAPS = 32;
__constant__ float coefficients[TAPS];

__global__ void filter(float *out, const float *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float copy[TAPS], sum = 0;
	for (int t = 0; t < TAPS; t++)
		copy[t] = coefficients[t];
#pragma unroll 1
	for (int t = 0; t < TAPS; t++) {
		int k = (t + threadIdx.x) % TAPS;
		sum += copy[k] * in[i + k];
	}
	out[i] = sum;
}
