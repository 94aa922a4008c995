// One product is a double, and so is the subtraction.
__global__ void determinant(float *out, const float *a, const float *b, const float *c, const float *d, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = (float)fma((double)a[i], (double)d[i], -(double)b[i] * c[i]);
}
