// cheat: two of the three terms are in single precision, the last constant is a double still
__global__ void fade(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		float x = in[i];
		out[i] = 0.299f * x + 0.587f * (1.0f - x) + 0.114 * x * x;
	}
}
