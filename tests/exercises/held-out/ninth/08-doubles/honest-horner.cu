// honest: terms collected by powers of x, two FMAs
__global__ void fade(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		float x = in[i];
		out[i] = fmaf(x, fmaf(x, 0.114f, float(0.299 - 0.587)), 0.587f);
	}
}
