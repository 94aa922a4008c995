extern "C" __global__ void vecadd(float *c, const float *a, const float *b, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		c[i] = a[i] + b[i];
}

extern "C" __global__ void unguarded(float *c, const float *a, const float *b)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	c[i] = a[i] + b[i];
}

extern "C" __global__ void vec4(float4 *c, const float4 *a, float s)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float4 v = a[i];
	v.x *= s; v.y *= s; v.z *= s; v.w *= s;
	c[i] = v;
}
