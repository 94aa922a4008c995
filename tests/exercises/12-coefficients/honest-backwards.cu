// From the last coefficient to the first.
constexpr int TAPS = 32;
__constant__ float coefficients[TAPS];
__global__ void filter(float *out, const float *__restrict__ in)
{
	const float *from = in + blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
#pragma unroll 8
	for (int k = TAPS - 1; k >= 0; k--)
		sum += from[k] * coefficients[k];
	out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
