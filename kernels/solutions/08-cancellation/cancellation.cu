// The rounding error of b c is computed exactly, and added at the end.
__global__ void determinant(float *out, const float *a, const float *b,
	const float *c, const float *d, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		float p = b[i] * c[i];
		float off = fmaf(-b[i], c[i], p);
		out[i] = fmaf(a[i], d[i], -p) + off;
	}
}
