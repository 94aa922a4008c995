__global__ void polynomial(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		float x = in[i];
		out[i] = 0.5f + 0.25f * x + 0.125f * __powf(x, 2.0f) + 0.0625f * __powf(x, 3.0f)
			+ 0.03125f * __powf(x, 4.0f);
	}
}
