// honest: the block's part of the signal is staged in shared memory, the coefficients stay
constexpr int TAPS = 32, THREADS = 256;
__constant__ float coefficients[TAPS];

__global__ void filter(float *out, const float *in)
{
	__shared__ float part[THREADS + TAPS - 1];
	int first = blockIdx.x * THREADS;
	for (int k = threadIdx.x; k < THREADS + TAPS - 1; k += THREADS)
		part[k] = in[first + k];
	__syncthreads();
	float sum = 0;
	for (int t = 0; t < TAPS; t++)
		sum += coefficients[t] * part[threadIdx.x + t];
	out[first + threadIdx.x] = sum;
}
