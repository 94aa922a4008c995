// honest: fully unrolled, with two sums
constexpr int TAPS = 32;
__constant__ float coefficients[TAPS];

__global__ void filter(float *out, const float *in)
{
	const float *from = in + blockIdx.x * blockDim.x + threadIdx.x;
	float even = 0, odd = 0;
#pragma unroll
	for (int t = 0; t < TAPS; t += 2) {
		even = fmaf(coefficients[t], from[t], even);
		odd = fmaf(coefficients[t + 1], from[t + 1], odd);
	}
	out[blockIdx.x * blockDim.x + threadIdx.x] = even + odd;
}
