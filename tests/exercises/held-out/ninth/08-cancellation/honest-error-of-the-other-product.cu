// honest: the rounding error of a d instead of b c
__global__ void determinant(float *out, const float *a, const float *b,
	const float *c, const float *d, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		float p = a[i] * d[i];
		float error = fmaf(a[i], d[i], -p);
		out[i] = fmaf(-b[i], c[i], p) + error;
	}
}
