// Two wide loads, the eight words named one by one, two wide stores in reverse.
__global__ void reversed(float *out, const float *in)
{
	const int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
	const float4 *from = reinterpret_cast<const float4 *>(in);
	float4 *to = reinterpret_cast<float4 *>(out);
	const float4 a = from[i], b = from[i + 1];
	to[i] = make_float4(2 * b.w, 2 * b.z, 2 * b.y, 2 * b.x);
	to[i + 1] = make_float4(2 * a.w, 2 * a.z, 2 * a.y, 2 * a.x);
}
