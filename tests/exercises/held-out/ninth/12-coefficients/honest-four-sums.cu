// honest: four independent sums, taps from the last to the first
constexpr int TAPS = 32;

__constant__ float coefficients[TAPS];

__global__ void filter(float *out, const float *in)
{
	const float *from = in + blockIdx.x * blockDim.x + threadIdx.x;
	float sum[4] = {};
#pragma unroll
	for (int t = TAPS - 1; t >= 0; t--)
		sum[t % 4] = fmaf(coefficients[t], from[t], sum[t % 4]);
	out[from - in] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
}
