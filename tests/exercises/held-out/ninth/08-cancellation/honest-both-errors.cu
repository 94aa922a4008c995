// honest: a structure of product and error, for both products
struct Product {
	float high, low;
};

__device__ Product product(float x, float y)
{
	float high = __fmul_rn(x, y);
	return {high, __fmaf_rn(x, y, -high)};
}

__global__ void determinant(float *out, const float *a, const float *b,
	const float *c, const float *d, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	Product ad = product(a[i], d[i]), bc = product(b[i], c[i]);
	out[i] = (ad.high - bc.high) + (ad.low - bc.low);
}
