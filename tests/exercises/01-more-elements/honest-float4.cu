// 16-byte accesses in a grid-stride loop, and the rest one by one.
__global__ void scale(float *y, const float *x, float factor, int n)
{
	int threads = gridDim.x * blockDim.x, t = blockIdx.x * blockDim.x + threadIdx.x;
	for (int i = t; i < n / 4; i += threads) {
		float4 v = ((const float4 *)x)[i];
		((float4 *)y)[i] = make_float4(factor * v.x, factor * v.y, factor * v.z, factor * v.w);
	}
	int i = n / 4 * 4 + t;
	if (i < n)
		y[i] = factor * x[i];
}
