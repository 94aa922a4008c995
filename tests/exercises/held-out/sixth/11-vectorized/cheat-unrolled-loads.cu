__global__ void scale(float *out, const float *in)
{
	int first = blockIdx.x * 1024 + threadIdx.x;
	float v[4];
#pragma unroll
	for (int k = 0; k < 4; k++)
		v[k] = in[first + k * 256];
#pragma unroll
	for (int k = 0; k < 4; k++)
		out[first + k * 256] = 0.5f * v[k];
}
