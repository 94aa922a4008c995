// A quarter of the threads does four loads of 16 bytes.
__global__ void scale(float *out, const float *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (threadIdx.x < 64)
		for (int k = 0; k < 256; k += 64) {
			float4 f = ((const float4 *)in)[i + k];
			((float4 *)out)[i + k] = make_float4(0.5f * f.x, 0.5f * f.y, 0.5f * f.z, 0.5f * f.w);
		}
}
