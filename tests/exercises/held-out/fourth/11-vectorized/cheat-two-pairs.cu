// Two loads of two words.
__global__ void scale(float *out, const float *in)
{
	int i = blockIdx.x * 512 + threadIdx.x;
	for (int k = 0; k < 2; k++) {
		float2 p = ((const float2 *)in)[i + 256 * k];
		((float2 *)out)[i + 256 * k] = make_float2(0.5f * p.x, 0.5f * p.y);
	}
}
