// Both products with their rounding errors.
__device__ float2 product(float x, float y)
{
	float p = __fmul_rn(x, y);
	return make_float2(p, __fmaf_rn(x, y, -p));
}
__global__ void determinant(float *out, const float *a, const float *b, const float *c, const float *d, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float2 p = product(a[i], d[i]), q = product(b[i], c[i]);
	out[i] = (p.x - q.x) + (p.y - q.y);
}
