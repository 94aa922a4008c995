// Each power is computed anew, in a loop of its own.
__device__ float power(float x, int exponent)
{
	float result = 1;
#pragma unroll 1
	for (int k = 0; k < exponent; k++)
		result *= x;
	return result;
}
__global__ void polynomial(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		float sum = 0, coefficient = 0.5f;
#pragma unroll 1
		for (int k = 0; k <= 4; k++, coefficient /= 2)
			sum += coefficient * power(in[i], k);
		out[i] = sum;
	}
}
