// constants of type float, Horner
__global__ void fade(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
constexpr float A = 0.114, B = 0.299 - 0.587, C = 0.587; if (i < n) { const float x = in[i]; out[i] = fmaf(fmaf(A, x, B), x, C); }
}
