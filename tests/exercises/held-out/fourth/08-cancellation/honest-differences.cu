// ad - bc = (a - b) d + b (d - c): the differences are exact for close numbers; Kahan's scheme for the rest.
__global__ void determinant(float *out, const float *a, const float *b, const float *c, const float *d, int n)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		const float right = __fmul_rn(b[i], c[i]);
		const float rest = __fmaf_rn(b[i], c[i], -right);
		out[i] = __fsub_rn(__fmaf_rn(a[i], d[i], -right), rest);
	}
}
