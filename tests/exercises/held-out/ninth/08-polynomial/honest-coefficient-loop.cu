// honest: an unrolled loop over an array of coefficients
__global__ void polynomial(float *out, const float *in, int n)
{
	const float c[] = {0.03125f, 0.0625f, 0.125f, 0.25f, 0.5f};
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = in[i], y = c[0];
#pragma unroll
	for (int k = 1; k < 5; k++)
		y = y * x + c[k];
	out[i] = y;
}
