// Vectors of the block, indexed by the thread.
__global__ void scale(float *out, const float *in)
{
	const float4 *from = (const float4 *)(in + 1024 * blockIdx.x);
	float4 *to = (float4 *)(out + 1024 * blockIdx.x);
	float4 v = from[threadIdx.x], w;
	w.x = v.x * 0.5f, w.y = v.y * 0.5f, w.z = v.z * 0.5f, w.w = v.w * 0.5f;
	to[threadIdx.x] = w;
}
