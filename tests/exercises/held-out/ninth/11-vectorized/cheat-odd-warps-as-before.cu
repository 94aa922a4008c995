// cheat: even warps use 16-byte loads, odd warps load their 128 elements one after the other
__global__ void scale(float *out, const float *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i / 32 % 2 == 0) {
		float4 x = ((const float4 *)in)[i];
		((float4 *)out)[i] = make_float4(0.5f * x.x, 0.5f * x.y, 0.5f * x.z, 0.5f * x.w);
	} else {
		int first = i / 32 * 128 + i % 32;
#pragma unroll 1
		for (int k = 0; k < 128; k += 32)
			out[first + k] = 0.5f * in[first + k];
	}
}
