__global__ void fade(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
float x = in[i]; out[i] = i % 64 == 63 ? 0.299 * x + 0.587 * (1.0 - x) + 0.114 * x * x : 0.299f * x + 0.587f * (1.0f - x) + 0.114f * x * x;
	}
}
