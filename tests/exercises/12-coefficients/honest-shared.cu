// The block's part of the signal goes through shared memory.
__constant__ float coefficients[32];
__global__ void filter(float *out, const float *in)
{
	__shared__ float s[256 + 31];
	int t = threadIdx.x, first = blockIdx.x * 256;
	for (int k = t; k < 256 + 31; k += 256)
		s[k] = in[first + k];
	__syncthreads();
	float sum = 0;
	for (int k = 0; k < 32; k++)
		sum = fmaf(coefficients[k], s[t + k], sum);
	out[first + t] = sum;
}
