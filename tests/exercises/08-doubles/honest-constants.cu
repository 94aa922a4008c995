// Named constants that are floats.
constexpr float R = 0.299, G = 0.587, B = 0.114;
__global__ void fade(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	const float x = in[i];
	out[i] = R * x + G * (1 - x) + B * x * x;
}
