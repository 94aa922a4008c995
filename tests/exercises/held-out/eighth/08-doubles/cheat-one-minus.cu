// cheat: only the coefficients got their f: 1.0 - x is a double, and everything that is added to it
__global__ void fade(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		float x = in[i];
		out[i] = 0.299f * x + 0.587f * (1.0 - x) + 0.114f * x * x;
	}
}
