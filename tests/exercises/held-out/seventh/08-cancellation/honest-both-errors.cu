// the errors of both products
__global__ void determinant(float *out, const float *a, const float *b, const float *c, const float *d, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
if (i < n) { float p = a[i] * d[i], q = b[i] * c[i]; float ep = fmaf(a[i], d[i], -p), eq = fmaf(b[i], c[i], -q); out[i] = (p - q) + (ep - eq); }
}
