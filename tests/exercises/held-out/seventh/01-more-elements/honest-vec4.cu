// float4 where possible, a tail of words
__global__ void scale(float *y, const float *x, float factor, int n)
{
	int t = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
	for (int i = t; i < n / 4; i += threads) {
		float4 v = ((const float4 *)x)[i];
		v.x *= factor; v.y *= factor; v.z *= factor; v.w *= factor;
		((float4 *)y)[i] = v;
	}
	int i = n / 4 * 4 + t;
	if (i < n)
		y[i] = factor * x[i];
}
