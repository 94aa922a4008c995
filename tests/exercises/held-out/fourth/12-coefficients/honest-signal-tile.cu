// The signal comes through shared memory; four sums.
__constant__ float coefficients[32];
__global__ void filter(float *out, const float *in)
{
	__shared__ float signal[256 + 31];
	const int first = blockIdx.x * 256, t = threadIdx.x;
	for (int k = t; k < 256 + 31; k += 256)
		signal[k] = in[first + k];
	__syncthreads();
	float sum[4] = {};
#pragma unroll
	for (int k = 0; k < 32; k += 4)
#pragma unroll
		for (int j = 0; j < 4; j++)
			sum[j] = fmaf(coefficients[k + j], signal[t + k + j], sum[j]);
	out[first + t] = sum[0] + sum[1] + (sum[2] + sum[3]);
}
