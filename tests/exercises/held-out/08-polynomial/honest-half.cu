// With y = x / 2 all coefficients are one half.
__global__ void polynomial(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		float y = 0.5f * in[i];
		float sum = fmaf(y, 0.5f, 0.5f);
		sum = fmaf(sum, y, 0.5f);
		sum = fmaf(sum, y, 0.5f);
		out[i] = fmaf(sum, y, 0.5f);
	}
}
