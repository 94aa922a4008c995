// Task: every thread starts with a different coefficient, which would help in shared memory.
// In constant memory all lanes should read the same one. Make each load of a coefficient
// take one access of the constant cache.
//
// out[i] is the sum of TAPS elements from in[i] on, each with its coefficient.
constexpr int TAPS = 32;

__constant__ float coefficients[TAPS];

__global__ void filter(float *out, const float *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
	for (int t = 0; t < TAPS; t++) {
		int k = (t + threadIdx.x) % TAPS;
		sum += coefficients[k] * in[i + k];
	}
	out[i] = sum;
}
