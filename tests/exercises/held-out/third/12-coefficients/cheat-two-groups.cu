// Only two different coefficients at a time.
constexpr int TAPS = 32;

__constant__ float coefficients[TAPS];

__global__ void filter(float *out, const float *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
	for (int t = 0; t < TAPS; t++)
	{
		int k = t ^ (threadIdx.x & 1);
		sum += coefficients[k] * in[i + k];
	}
	out[i] = sum;
}
