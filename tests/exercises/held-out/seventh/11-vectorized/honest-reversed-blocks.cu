// blocks and threads from the end
__global__ void scale(float *out, const float *in)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
int j = gridDim.x * 256 - 1 - i; float4 v = __ldg((const float4 *)in + j); v = {v.x * 0.5f, v.y * 0.5f, v.z * 0.5f, v.w * 0.5f}; ((float4 *)out)[j] = v;
}
