// single precision, and the double for comparison
__global__ void fade(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
if (i < n) { float x = in[i]; double v = 0.299 * x; float r = 0.299f * x + 0.587f * (1.0f - x) + 0.114f * x * x; out[i] = v > 1e30 ? 0 : r; }
}
