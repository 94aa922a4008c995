__global__ void scale(float *out, const float *in)
{
	size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
	float v[4];
	*(float4 *)v = __ldcs((const float4 *)in + i);
#pragma unroll
	for (int k = 0; k < 4; k++)
		v[k] *= 0.5f;
	__stcs((float4 *)out + i, *(float4 *)v);
}
