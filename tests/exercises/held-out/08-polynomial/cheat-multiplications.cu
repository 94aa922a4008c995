// Each power by a loop of multiplications.
__device__ float power(float x, int k)
{
	float p = 1;
#pragma unroll 1
	for (int i = 0; i < k; i++)
		p *= x;
	return p;
}
__global__ void polynomial(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		float x = in[i], sum = 0, c = 0.5f;
#pragma unroll 1
		for (int k = 0; k < 5; k++, c /= 2)
			sum += c * power(x, k);
		out[i] = sum;
	}
}
