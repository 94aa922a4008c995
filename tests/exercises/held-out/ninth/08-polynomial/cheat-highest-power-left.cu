// cheat: squares and cubes are multiplied, the fourth power is still powf
__global__ void polynomial(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		float x = in[i];
		out[i] = 0.5f + 0.25f * x + 0.125f * x * x
			+ 0.0625f * x * x * x + 0.03125f * powf(x, 4.0f);
	}
}
