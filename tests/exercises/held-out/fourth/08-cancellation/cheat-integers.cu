// The products as 64-bit integers, exact, but not in floating point.
__global__ void determinant(float *out, const float *a, const float *b, const float *c, const float *d, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		long long p = (long long)(a[i] * 0x1p23f) * (long long)(d[i] * 0x1p23f);
		long long q = (long long)(b[i] * 0x1p23f) * (long long)(c[i] * 0x1p23f);
		out[i] = (float)((double)(p - q) * 0x1p-46);
	}
}
