// The error of the other product.
__global__ void determinant(float *out, const float *a, const float *b,
	const float *c, const float *d, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		float q = a[i] * d[i], rest = fmaf(a[i], d[i], -q);
		out[i] = fmaf(-b[i], c[i], q) + rest;
	}
}
