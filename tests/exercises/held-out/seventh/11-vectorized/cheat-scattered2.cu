// one load and store each, but neighbors are eight float4 apart: half of each sector
__global__ void scale(float *out, const float *in)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
int j = blockIdx.x * 256 + tid % 32 * 8 + tid / 32; float4 v = ((const float4 *)in)[j]; ((float4 *)out)[j] = make_float4(0.5f * v.x, 0.5f * v.y, 0.5f * v.z, 0.5f * v.w);
}

