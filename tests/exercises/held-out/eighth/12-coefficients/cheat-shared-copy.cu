// cheat: the coefficients are copied to shared memory, where each thread may keep its own start
constexpr int TAPS = 32;
__constant__ float coefficients[TAPS];

__global__ void filter(float *out, const float *in)
{
	__shared__ float copy[TAPS];
	if (threadIdx.x < TAPS)
		copy[threadIdx.x] = coefficients[threadIdx.x];
	__syncthreads();
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
	for (int t = 0; t < TAPS; t++) {
		int k = (t + threadIdx.x) % TAPS;
		sum += copy[k] * in[i + k];
	}
	out[i] = sum;
}
