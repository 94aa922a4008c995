// === honest-both-errors
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

// === honest-function
// Kahan's difference of products, as a function.
__device__ float difference(float a, float b, float c, float d)
{
	float cd = c * d, error = fmaf(-c, d, cd);
	return fmaf(a, b, -cd) + error;
}
__global__ void determinant(float *out, const float *__restrict__ a, const float *__restrict__ b,
	const float *__restrict__ c, const float *__restrict__ d, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		out[i] = difference(a[i], d[i], b[i], c[i]);
}

// === honest-intrinsics
// The same with intrinsics, starting from a d.
__global__ void determinant(float *out, const float *a, const float *b, const float *c, const float *d, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		float p = __fmul_rn(a[i], d[i]), error = __fmaf_rn(a[i], d[i], -p);
		out[i] = __fadd_rn(__fmaf_rn(-b[i], c[i], p), error);
	}
}
