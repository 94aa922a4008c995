__global__ void polynomial(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
float x = in[i], sum = 0.5f, c = 0.25f;
		for (int d = 1; d < 5; d++, c /= 2) {
			float p = 1;
			for (int k = 0; k < d; k++)
				p *= x;
			sum += c * p;
		}
		out[i] = sum;
	}
}
