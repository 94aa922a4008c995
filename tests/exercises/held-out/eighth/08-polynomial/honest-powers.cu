// honest: each power is the one before times x
__global__ void polynomial(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	const float x1 = in[i], x2 = x1 * x1, x3 = x2 * x1, x4 = x2 * x2;
	out[i] = 0.5f + 0.25f * x1 + 0.125f * x2 + 0.0625f * x3 + 0.03125f * x4;
}
