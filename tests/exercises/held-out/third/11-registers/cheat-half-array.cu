// Four elements in registers, four in local memory.
__global__ void reversed(float *out, const float *in)
{
	int first = 8 * (blockIdx.x * blockDim.x + threadIdx.x);
	float x[4], r[4];
#pragma unroll
	for (int i = 0; i < 4; i++)
		r[i] = 2 * in[first + i];
#pragma unroll 1
	for (int i = 0; i < 4; i++)
		x[i] = 2 * in[first + 4 + i];
#pragma unroll 1
	for (int i = 0; i < 4; i++)
		out[first + i] = x[3 - i];
#pragma unroll
	for (int i = 0; i < 4; i++)
		out[first + 4 + i] = r[3 - i];
}
