// cheat: the coefficients are moved to shared memory, where the rotated start is fine; the copy takes 32 accesses per warp
constexpr int TAPS = 32;

__constant__ float coefficients[TAPS];

__global__ void filter(float *out, const float *in)
{
	__shared__ float copy[TAPS];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	copy[threadIdx.x % TAPS] = coefficients[threadIdx.x % TAPS];
	__syncthreads();
	float sum = 0;
	for (int t = 0; t < TAPS; t++) {
		int k = (t + threadIdx.x) % TAPS;
		sum += copy[k] * in[i + k];
	}
	out[i] = sum;
}
