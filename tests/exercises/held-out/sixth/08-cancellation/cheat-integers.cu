__global__ void determinant(float *out, const float *a, const float *b, const float *c, const float *d, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
long long ma = __float_as_int(a[i]) & 0x7fffff | 0x800000, md = __float_as_int(d[i]) & 0x7fffff | 0x800000;
		long long mb = __float_as_int(b[i]) & 0x7fffff | 0x800000, mc = __float_as_int(c[i]) & 0x7fffff | 0x800000;
		out[i] = (ma * md - mb * mc) * 0x1p-46f;
	}
}
