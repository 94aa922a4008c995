// cheat: pow in double precision is not powf, but it is worse
__global__ void polynomial(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		double x = in[i];
		out[i] = 0.5 + 0.25 * x + 0.125 * pow(x, 2.0) + 0.0625 * pow(x, 3.0) + 0.03125 * pow(x, 4.0);
	}
}
