// Both products with their rounding errors.
__global__ void determinant(float *out, const float *a, const float *b, const float *c, const float *d, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float p = a[i] * d[i], pe = fmaf(a[i], d[i], -p);
	float q = b[i] * c[i], qe = fmaf(b[i], c[i], -q);
	out[i] = (p - q) + (pe - qe);
}
