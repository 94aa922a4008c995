// cheat: __powf instead of powf: still a logarithm and an exponential per term
__global__ void polynomial(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		float x = in[i], m = fabsf(x);
		float cube = copysignf(__powf(m, 3.0f), x);
		out[i] = 0.5f + 0.25f * x + 0.125f * __powf(m, 2.0f) + 0.0625f * cube + 0.03125f * __powf(m, 4.0f);
	}
}
