__global__ void determinant(float *out, const float *a, const float *b,
	const float *c, const float *d, int n)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	const float p = a[i] * d[i];
	const float rest = fmaf(a[i], d[i], -p); // what the product has lost
	out[i] = fmaf(-b[i], c[i], p) + rest;
}
