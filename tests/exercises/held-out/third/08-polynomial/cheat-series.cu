// The sum of a geometric series, with a division.
__global__ void polynomial(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		float x = in[i];
		float q = x / 2, q2 = q * q;
		out[i] = fabsf(1 - q) < 0.01f ? 0.5f * (1 + q + q2 + q2 * q + q2 * q2) : 0.5f * (1 - q2 * q2 * q) / (1 - q);
	}
}
