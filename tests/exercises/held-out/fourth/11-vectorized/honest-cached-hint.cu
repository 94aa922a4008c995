// Streaming loads and stores.
__global__ void scale(float *__restrict__ out, const float *__restrict__ in)
{
	const float4 *from = reinterpret_cast<const float4 *>(in + blockIdx.x * 1024);
	float4 *to = reinterpret_cast<float4 *>(out + blockIdx.x * 1024);
	float4 p = __ldcs(from + threadIdx.x);
	__stcs(to + threadIdx.x, make_float4(p.x / 2, p.y / 2, p.z / 2, p.w / 2));
}
