// honest: no array: two 16-byte loads and stores
__global__ void reversed(float *out, const float *in)
{
	int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
	float4 a = ((const float4 *)in)[i], b = ((const float4 *)in)[i + 1];
	((float4 *)out)[i] = make_float4(2 * b.w, 2 * b.z, 2 * b.y, 2 * b.x);
	((float4 *)out)[i + 1] = make_float4(2 * a.w, 2 * a.z, 2 * a.y, 2 * a.x);
}
