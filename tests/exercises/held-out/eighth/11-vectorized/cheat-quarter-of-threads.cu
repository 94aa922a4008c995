// cheat: a quarter of the threads load float4, four times in a row: four round trips as before
__global__ void scale(float *out, const float *in)
{
	if (threadIdx.x >= 64)
		return;
#pragma unroll 1
	for (int k = 0; k < 4; k++) {
		int i = blockIdx.x * 256 + k * 64 + threadIdx.x;
		float4 x = ((const float4 *)in)[i];
		((float4 *)out)[i] = make_float4(0.5f * x.x, 0.5f * x.y, 0.5f * x.z, 0.5f * x.w);
	}
}
