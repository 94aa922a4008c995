// cheat: the elements are consecutive and in a float4, which is filled and stored one component at a time
__global__ void scale(float *out, const float *in)
{
	int first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
	float4 x = make_float4(in[first], in[first + 1], in[first + 2], in[first + 3]);
	out[first] = 0.5f * x.x;
	out[first + 1] = 0.5f * x.y;
	out[first + 2] = 0.5f * x.z;
	out[first + 3] = 0.5f * x.w;
}
