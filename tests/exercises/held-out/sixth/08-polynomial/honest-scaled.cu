__global__ void polynomial(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
float h = 0.5f * __ldg(in + i); out[i] = 0.5f * (1 + h * (1 + h * (1 + h * (1 + h))));
	}
}
