// only the fourth power by powf
__global__ void polynomial(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
if (i < n) { float x = in[i]; out[i] = 0.5f + x * (0.25f + x * (0.125f + x * 0.0625f)) + 0.03125f * powf(x, 4.0f); }
}
