// honest: Estrin's scheme: the square once, pairs of terms independent of each other
__global__ void polynomial(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		float x = in[i], x2 = x * x;
		float low = fmaf(0.25f, x, 0.5f), high = fmaf(0.0625f, x, 0.125f);
		out[i] = fmaf(x2, fmaf(x2, 0.03125f, high), low);
	}
}
