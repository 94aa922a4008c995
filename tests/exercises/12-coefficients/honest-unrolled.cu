// Unrolled, with two sums.
__constant__ float coefficients[32];
__global__ void filter(float *out, const float *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float even = 0, odd = 0;
#pragma unroll
	for (int t = 0; t < 32; t += 2) {
		even += coefficients[t] * in[i + t];
		odd += coefficients[t + 1] * in[i + t + 1];
	}
	out[i] = even + odd;
}
