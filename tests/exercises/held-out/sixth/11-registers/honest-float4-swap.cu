__global__ void reversed(float *out, const float *in)
{
	const float4 *from = (const float4 *)in + 2 * (blockIdx.x * blockDim.x + threadIdx.x);
	float4 *to = (float4 *)out + 2 * (blockIdx.x * blockDim.x + threadIdx.x);
	float4 a = from[0], b = from[1];
	to[0] = make_float4(2 * b.w, 2 * b.z, 2 * b.y, 2 * b.x);
	to[1] = make_float4(2 * a.w, 2 * a.z, 2 * a.y, 2 * a.x);
}
