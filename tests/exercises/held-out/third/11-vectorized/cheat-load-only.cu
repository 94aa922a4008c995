// A load of 16 bytes, and four stores.
__global__ void scale(float *out, const float *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float4 f = ((const float4 *)in)[i];
	volatile float *to = out + 4 * i;
	to[0] = 0.5f * f.x;
	to[1] = 0.5f * f.y;
	to[2] = 0.5f * f.z;
	to[3] = 0.5f * f.w;
}
