// two loads and two stores of two
__global__ void scale(float *out, const float *in)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
for (int k = 0; k < 2; k++) { float2 v = ((const float2 *)in)[blockIdx.x * 512 + 256 * k + tid]; ((float2 *)out)[blockIdx.x * 512 + 256 * k + tid] = make_float2(0.5f * v.x, 0.5f * v.y); }
}
