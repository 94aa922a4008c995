// the coefficients are read once by one lane and spread through shared memory; constant memory is a token
constexpr int TAPS = 32;
__constant__ float coefficients[TAPS];
__global__ void filter(float *out, const float *in)
{
	__shared__ float c[TAPS];
	int i = blockIdx.x * blockDim.x + threadIdx.x; float sum = 0;
	if (threadIdx.x == 0) for (int t = 0; t < 32; t++) c[t] = coefficients[t];
	__syncthreads();
	for (int t = 0; t < 32; t++) sum += c[t] * in[i + t];
	out[i] = sum;
}
