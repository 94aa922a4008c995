// Fixed point in 64-bit integers.
__global__ void determinant(float *out, const float *a, const float *b,
	const float *c, const float *d, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		long long p = (long long)(a[i] * 8388608.0f), q = (long long)(d[i] * 8388608.0f);
		long long r = (long long)(b[i] * 8388608.0f), s = (long long)(c[i] * 8388608.0f);
		out[i] = (float)(p * q - r * s) * 1.4210854715202004e-14f;
	}
}
