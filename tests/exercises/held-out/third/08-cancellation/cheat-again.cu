// Everything is loaded twice.
__global__ void determinant(float *out, const float *a, const float *b,
	const float *c, const float *d, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		const volatile float *va = a, *vb = b, *vc = c, *vd = d;
		float p = b[i] * c[i];
		float off = fmaf(-vb[i], vc[i], p);
		out[i] = fmaf(va[i], vd[i], -p) + 0 * va[i] * vd[i] + off;
	}
}
