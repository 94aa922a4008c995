// The errors of both products.
__global__ void determinant(float *out, const float *a, const float *b,
	const float *c, const float *d, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		float p = b[i] * c[i];
		float q = a[i] * d[i];
		float p_error = fmaf(b[i], c[i], -p), q_error = fmaf(a[i], d[i], -q);
		out[i] = (q - p) + (q_error - p_error);
	}
}
