// honest: the elements come from shared memory, the coefficients uniformly from constant memory
constexpr int TAPS = 32;
constexpr int THREADS = 256;

__constant__ float coefficients[TAPS];

__global__ void filter(float *out, const float *in)
{
	__shared__ float window[THREADS + TAPS - 1];
	int first = blockIdx.x * THREADS;
	for (int k = threadIdx.x; k < THREADS + TAPS - 1; k += THREADS)
		window[k] = in[first + k];
	__syncthreads();
	float sum = 0;
	for (int t = 0; t < TAPS; ++t)
		sum += window[threadIdx.x + t] * coefficients[t];
	out[first + threadIdx.x] = sum;
}
