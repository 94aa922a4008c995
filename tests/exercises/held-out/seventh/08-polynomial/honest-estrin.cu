// Estrin
__global__ void polynomial(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
if (i < n) { float x = in[i], q = x * x; out[i] = fmaf(q, fmaf(q, 0.03125f, fmaf(x, 0.0625f, 0.125f)), fmaf(x, 0.25f, 0.5f)); }
}
