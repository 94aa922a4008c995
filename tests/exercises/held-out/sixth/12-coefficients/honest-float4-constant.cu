__constant__ float coefficients[32];
__global__ void filter(float *out, const float *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	const float *p = in + i;
	float sum = 0;
#pragma unroll
	for (int t = 0; t < 32; t += 4)
		sum += coefficients[t] * p[t] + coefficients[t + 1] * p[t + 1] + coefficients[t + 2] * p[t + 2] + coefficients[t + 3] * p[t + 3];
	out[i] = sum;
}
