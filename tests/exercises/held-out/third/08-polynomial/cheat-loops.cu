// Each power is a loop of multiplications.
__global__ void polynomial(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		float x = in[i];
		float sum = 0, c = 0.5f;
#pragma unroll 1
		for (int p = 0; p <= 4; p++, c /= 2) {
			float power = 1;
#pragma unroll 1
			for (int k = 0; k < p; k++)
				power *= x;
			sum += c * power;
		}
		out[i] = sum;
	}
}
