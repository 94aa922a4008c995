// double only where the products are nearly equal
__global__ void determinant(float *out, const float *a, const float *b, const float *c, const float *d, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
if (i < n) { float p = a[i] * d[i], q = b[i] * c[i], r = p - q; if (fabsf(r) < 0.5f * fabsf(p)) r = (double)a[i] * d[i] - (double)b[i] * c[i]; out[i] = r; }
}
