// __powf of the absolute value
__global__ void polynomial(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
if (i < n) { float x = in[i], y = fabsf(x); out[i] = 0.5f + 0.25f * x + 0.125f * __powf(y, 2) + 0.0625f * copysignf(__powf(y, 3), x) + 0.03125f * __powf(y, 4); }
}
