// From the last coefficient to the first, without unrolling.
__constant__ float coefficients[32];
__global__ void filter(float *out, const float *in)
{
	const float *from = in + blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
#pragma unroll 1
	for (int k = 31; k >= 0; k--)
		sum += coefficients[k] * from[k];
	out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
