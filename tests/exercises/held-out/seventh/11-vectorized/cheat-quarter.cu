// a quarter of the threads, four float4 each
__global__ void scale(float *out, const float *in)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
if (tid < 64)
#pragma unroll 1
for (int k = 0; k < 4; k++) { int j = blockIdx.x * 256 + 64 * k + tid; float4 v = ((const float4 *)in)[j]; v.x *= 0.5f; v.y *= 0.5f; v.z *= 0.5f; v.w *= 0.5f; ((float4 *)out)[j] = v; }
}
