// honest: even and odd powers separately, as polynomials in the square of x
__global__ void polynomial(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		float x = in[i], y = x * x;
		float even = fmaf(y, fmaf(y, 0.03125f, 0.125f), 0.5f);
		float odd = fmaf(y, 0.0625f, 0.25f);
		out[i] = fmaf(x, odd, even);
	}
}
