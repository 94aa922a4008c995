// one load, four stores
__global__ void scale(float *out, const float *in)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
float4 v = ((const float4 *)in)[i]; volatile float *o = out + 4 * i; o[0] = 0.5f * v.x; o[1] = 0.5f * v.y; o[2] = 0.5f * v.z; o[3] = 0.5f * v.w;
}
