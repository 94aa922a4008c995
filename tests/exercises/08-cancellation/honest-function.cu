// Kahan's difference of products, as a function.
__device__ float difference(float a, float b, float c, float d)
{
	float cd = c * d, error = fmaf(-c, d, cd);
	return fmaf(a, b, -cd) + error;
}
__global__ void determinant(float *out, const float *__restrict__ a, const float *__restrict__ b,
	const float *__restrict__ c, const float *__restrict__ d, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		out[i] = difference(a[i], d[i], b[i], c[i]);
}
