// honest: named float constants
constexpr float RED = 0.299f, GREEN = 0.587f, BLUE = 0.114f;

__global__ void fade(float *out, const float *in, int n)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	const float x = in[i];
	out[i] = RED * x + GREEN * (1 - x) + BLUE * (x * x);
}
