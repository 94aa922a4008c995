// cheat: the constants are floats, but the square comes from pow, which computes with doubles
__global__ void fade(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		float x = in[i];
		out[i] = 0.299f * x + 0.587f * (1.0f - x) + 0.114f * (float)pow((double)x, 2.0);
	}
}
