// cheat: only one of the products in double precision: one is enough to spoil it
__global__ void determinant(float *out, const float *a, const float *b, const float *c, const float *d, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		double p = (double)a[i] * d[i];
		out[i] = (float)fma(-(double)b[i], (double)c[i], p);
	}
}
