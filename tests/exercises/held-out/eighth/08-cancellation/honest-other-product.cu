// honest: rounds a d instead of b c, in a helper function
__device__ __forceinline__ float difference_of_products(float w, float x, float y, float z)
{
	const float rounded = w * x;
	const float missing = fmaf(w, x, -rounded);
	return fmaf(-y, z, rounded) + missing;
}

__global__ void determinant(float *out, const float *a, const float *b, const float *c, const float *d, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		out[i] = difference_of_products(a[i], d[i], b[i], c[i]);
}
