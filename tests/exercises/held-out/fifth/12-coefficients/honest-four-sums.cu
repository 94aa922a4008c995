// The same coefficient for all threads, from the last to the first, with four sums.
constexpr int TAPS = 32;
__constant__ float coefficients[TAPS];
__global__ void filter(float *out, const float *in)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum[4] = {};
#pragma unroll
	for (int t = TAPS - 1; t >= 0; t--)
		sum[t % 4] = fmaf(coefficients[t], in[i + t], sum[t % 4]);
	out[i] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
}
