// The load through the read-only path.
__device__ float4 operator*(float a, float4 v)
{
	return make_float4(a * v.x, a * v.y, a * v.z, a * v.w);
}

__global__ void scale(float *__restrict__ out, const float *__restrict__ in)
{
	unsigned block = gridDim.x - 1 - blockIdx.x, i = block * 256 + threadIdx.x;
	((float4 *)out)[i] = 0.5f * __ldg((const float4 *)in + i);
}
