// cheat: Horner's scheme, in double precision
__global__ void polynomial(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		double x = in[i];
		out[i] = 0.5 + x * (0.25 + x * (0.125 + x * (0.0625 + x * 0.03125)));
	}
}
