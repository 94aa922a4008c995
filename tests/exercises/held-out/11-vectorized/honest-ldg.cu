__global__ void scale(float *out, const float *in)
{
	const unsigned q = blockIdx.x * blockDim.x + threadIdx.x;
	float4 v = __ldg(reinterpret_cast<const float4 *>(in) + q);
	v.x *= .5f;
	v.y *= .5f;
	v.z *= .5f;
	v.w *= .5f;
	reinterpret_cast<float4 *>(out)[q] = v;
}
