// The inputs are staged in shared memory.
constexpr int TAPS = 32;

__constant__ float coefficients[TAPS];

__global__ void filter(float *out, const float *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	__shared__ float words[1024 + TAPS];
	for (int k = threadIdx.x; k < blockDim.x + TAPS - 1; k += blockDim.x)
		words[k] = in[blockIdx.x * blockDim.x + k];
	__syncthreads();
	float sum = 0;
	for (int t = 0; t < TAPS; t++)
		sum += coefficients[t] * words[threadIdx.x + t];
	out[i] = sum;
}
