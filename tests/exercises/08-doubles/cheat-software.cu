// Double-float arithmetic by hand, twenty operations.
__device__ float2 mul(float a, float b)
{
	float p = a * b;
	return make_float2(p, fmaf(a, b, -p));
}
__device__ float2 add(float2 a, float2 b)
{
	float s = a.x + b.x, v = s - a.x;
	float e = (a.x - (s - v)) + (b.x - v) + a.y + b.y;
	return make_float2(s, e);
}
__global__ void fade(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		float x = in[i];
		float2 s = add(add(mul(0.299f, x), mul(0.587f, 1 - x)), mul(0.114f, x * x));
		for (int k = 0; k < 4; k++)
			s = add(s, make_float2(0, 0));
		out[i] = s.x + s.y;
	}
}
