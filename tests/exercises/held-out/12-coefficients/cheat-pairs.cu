// Two lanes groups: even lanes forward, odd lanes backward.
constexpr int TAPS = 32;
__constant__ float coefficients[TAPS];
__global__ void filter(float *out, const float *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
	for (int t = 0; t < TAPS; t++) {
		int k = threadIdx.x % 2 ? TAPS - 1 - t : t;
		sum += coefficients[k] * in[i + k];
	}
	out[i] = sum;
}
