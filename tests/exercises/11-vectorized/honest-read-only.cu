// Read-only load of a float4.
__global__ void scale(float *__restrict__ out, const float *__restrict__ in)
{
	const unsigned i = blockIdx.x * 256 + threadIdx.x;
	const float4 x = __ldg(reinterpret_cast<const float4 *>(in) + i);
	reinterpret_cast<float4 *>(out)[i] = make_float4(x.x / 2, x.y / 2, x.z / 2, x.w / 2);
}
