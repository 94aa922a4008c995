// two float4
__global__ void reversed(float *out, const float *in)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
const float4 *p = (const float4 *)in + 2 * i; float4 *o = (float4 *)out + 2 * i; float4 a = p[0], b = p[1]; o[0] = make_float4(2 * b.w, 2 * b.z, 2 * b.y, 2 * b.x); o[1] = make_float4(2 * a.w, 2 * a.z, 2 * a.y, 2 * a.x);
}
