// honest: explicit FMAs in single precision
__global__ void fade(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		float x = in[i], rest = 1.f - x;
		float sum = 0.299f * x;
		sum = fmaf(0.587f, rest, sum);
		out[i] = fmaf(0.114f * x, x, sum);
	}
}
