// cheat: accurate, but all of it in double precision
__global__ void determinant(float *out, const float *a, const float *b,
	const float *c, const float *d, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		out[i] = (double)a[i] * d[i] - (double)b[i] * c[i];
	}
}
