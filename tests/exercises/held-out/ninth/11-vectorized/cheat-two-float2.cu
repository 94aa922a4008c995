// cheat: pairs instead of fours: two loads and two stores per thread, half of the sectors per request
__global__ void scale(float *out, const float *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
	for (int k = 0; k < 2; k++) {
		float2 x = ((const float2 *)in)[2 * i + k];
		x.x *= 0.5f;
		x.y *= 0.5f;
		((float2 *)out)[2 * i + k] = x;
	}
}
