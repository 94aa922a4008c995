// Typed constants and explicit single-precision multiply-adds.
constexpr float FIRST = 0.299f, SECOND = 0.587f, THIRD = 0.114f;
__global__ void fade(float *out, const float *__restrict__ in, int n)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	const float x = in[i];
	float result = FIRST * x;
	result = fmaf(SECOND, 1 - x, result);
	out[i] = fmaf(THIRD * x, x, result);
}
