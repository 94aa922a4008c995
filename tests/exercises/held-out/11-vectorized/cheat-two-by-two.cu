__global__ void scale(float *out, const float *in)
{
	int q = 2 * (blockIdx.x * 256 + threadIdx.x);
	float2 a = ((const float2 *)in)[q], b = ((const float2 *)in)[q + 1];
	((float2 *)out)[q] = make_float2(a.x / 2, a.y / 2);
	((float2 *)out)[q + 1] = make_float2(b.x / 2, b.y / 2);
}
