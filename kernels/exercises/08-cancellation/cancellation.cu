// Task: compute a d - b c accurate to six digits where the two products are
// nearly equal, in single precision.
__global__ void determinant(float *out, const float *a, const float *b,
	const float *c, const float *d, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		out[i] = a[i] * d[i] - b[i] * c[i];
	}
}
