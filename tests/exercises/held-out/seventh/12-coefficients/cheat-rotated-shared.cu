// one lane copies the coefficients, the threads keep their different starts in shared memory
constexpr int TAPS = 32;
__constant__ float coefficients[TAPS];
__global__ void filter(float *out, const float *in)
{
	__shared__ float c[TAPS];
	int i = blockIdx.x * blockDim.x + threadIdx.x; float sum = 0;
	if (threadIdx.x < 32) for (int t = 0; t < 32; t++) { float v = coefficients[t]; if (threadIdx.x == t) c[t] = v; }
	__syncthreads();
	for (int t = 0; t < 32; t++) { int k = (t + threadIdx.x) % 32; sum += c[k] * in[i + k]; }
	out[i] = sum;
}
