__global__ void scale(float *out, const float *in)
{
	int q = blockIdx.x * 256 + threadIdx.x;
	float4 v = ((const float4 *)in)[q];
	volatile float *to = out + 4 * q;
	to[0] = v.x / 2;
	to[1] = v.y / 2;
	to[2] = v.z / 2;
	to[3] = v.w / 2;
}
