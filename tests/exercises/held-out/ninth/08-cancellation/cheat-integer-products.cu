// cheat: the fractions become integers and their products are exact in 64 bits: no floating point
__global__ void determinant(float *out, const float *a, const float *b,
	const float *c, const float *d, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		const float one = 1 << 23;
		long long ad = (long long)(a[i] * one) * (long long)(d[i] * (4 * one));
		long long bc = (long long)(b[i] * (4 * one)) * (long long)(c[i] * one);
		out[i] = (float)(ad - bc) / one / (4 * one);
	}
}
