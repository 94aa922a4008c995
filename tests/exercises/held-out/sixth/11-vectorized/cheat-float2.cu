__global__ void scale(float *out, const float *in)
{
	int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
	float2 a = ((const float2 *)in)[i], b = ((const float2 *)in)[i + 1];
	((float2 *)out)[i] = make_float2(0.5f * a.x, 0.5f * a.y);
	((float2 *)out)[i + 1] = make_float2(0.5f * b.x, 0.5f * b.y);
}
