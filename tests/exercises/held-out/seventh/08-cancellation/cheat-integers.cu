// exact products of the significands in 64-bit integers
__global__ void determinant(float *out, const float *a, const float *b, const float *c, const float *d, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
if (i < n) { int ea, eb, ec, ed; long long A = frexpf(a[i], &ea) * 16777216.0f, B = frexpf(b[i], &eb) * 16777216.0f, C = frexpf(c[i], &ec) * 16777216.0f, D = frexpf(d[i], &ed) * 16777216.0f; long long p = A * D, q = B * C; int e = ea + ed, f = eb + ec; int k = e - f; if (k > 0) { if (k < 14) p <<= k; e = f; } else if (k < 0 && k > -14) { q <<= -k; } out[i] = ldexpf((float)(p - q), e - 48); }
}
