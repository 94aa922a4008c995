// No constant memory in the loop: coefficients through shared memory, still rotated.
constexpr int TAPS = 32;
__constant__ float coefficients[TAPS];
__global__ void filter(float *out, const float *in)
{
	__shared__ float s[TAPS];
	if (threadIdx.x < TAPS)
		s[threadIdx.x] = coefficients[threadIdx.x];
	__syncthreads();
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
	for (int t = 0; t < TAPS; t++) {
		int k = (t + threadIdx.x) % TAPS;
		sum += s[k] * in[i + k];
	}
	out[i] = sum;
}
