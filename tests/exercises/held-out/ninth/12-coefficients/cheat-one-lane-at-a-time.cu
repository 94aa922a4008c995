// cheat: every load takes one access because one lane executes it: 32 times as many loads
constexpr int TAPS = 32;

__constant__ float coefficients[TAPS];

__global__ void filter(float *out, const float *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
	for (int t = 0; t < TAPS; t++) {
		int k = (t + threadIdx.x) % TAPS;
#pragma unroll 1
		for (int lane = 0; lane < 32; lane++)
			if (threadIdx.x % 32 == lane)
				sum += coefficients[k] * in[i + k];
	}
	out[i] = sum;
}
