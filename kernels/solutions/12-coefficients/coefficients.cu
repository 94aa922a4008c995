// All lanes read coefficient t at the same time: one access for the warp.
constexpr int TAPS = 32;

__constant__ float coefficients[TAPS];

__global__ void filter(float *out, const float *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
	for (int t = 0; t < TAPS; t++)
		sum += coefficients[t] * in[i + t];
	out[i] = sum;
}
