__global__ void scale(float *out, const float *in)
{
	if (blockIdx.x % 16 == 1) {
		int first = blockIdx.x * 1024 + threadIdx.x;
#pragma unroll 1
		for (int k = 0; k < 4; k++)
			out[first + k * 256] = 0.5f * in[first + k * 256];
		return;
	}
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float4 v = ((const float4 *)in)[i];
	((float4 *)out)[i] = make_float4(0.5f * v.x, 0.5f * v.y, 0.5f * v.z, 0.5f * v.w);
}
