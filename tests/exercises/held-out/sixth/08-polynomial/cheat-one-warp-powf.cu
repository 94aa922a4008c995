__global__ void polynomial(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
float x = in[i]; if (threadIdx.x < 32 && blockIdx.x % 8 == 0) out[i] = 0.5f + 0.25f * x + 0.125f * powf(x, 2) + 0.0625f * powf(x, 3) + 0.03125f * powf(x, 4); else out[i] = 0.5f + x * (0.25f + x * (0.125f + x * (0.0625f + x * 0.03125f)));
	}
}
