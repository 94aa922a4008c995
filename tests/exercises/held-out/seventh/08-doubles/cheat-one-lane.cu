// one lane for 32 elements, in single precision
__global__ void fade(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
if (i % 32 == 0) for (int k = i; k < min(n, i + 32); k++) { float x = in[k]; out[k] = 0.299f * x + 0.587f * (1.0f - x) + 0.114f * x * x; }
}
