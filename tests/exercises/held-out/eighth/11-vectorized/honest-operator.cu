// honest: an operator for float4 and pointers to the block's part
__device__ __forceinline__ float4 operator*(float s, float4 v)
{
	return make_float4(s * v.x, s * v.y, s * v.z, s * v.w);
}

__global__ void scale(float *out, const float *in)
{
	const float4 *from = (const float4 *)(in + 1024 * blockIdx.x);
	float4 *to = (float4 *)(out + 1024 * blockIdx.x);
	to[threadIdx.x] = 0.5f * __ldg(&from[threadIdx.x]);
}
