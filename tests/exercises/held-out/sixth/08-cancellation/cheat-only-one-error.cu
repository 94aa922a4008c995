__global__ void determinant(float *out, const float *a, const float *b, const float *c, const float *d, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
float p = b[i] * c[i]; out[i] = fmaf(a[i], d[i], -p);
	}
}
