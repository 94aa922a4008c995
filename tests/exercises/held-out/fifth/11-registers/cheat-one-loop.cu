// Only the first loop is unrolled: the second still indexes the array by a variable, so it is in local memory.
__global__ void reversed(float *out, const float *in)
{
	int first = 8 * (blockIdx.x * blockDim.x + threadIdx.x);
	float x[8];
#pragma unroll
	for (int i = 0; i < 8; i++)
		x[i] = 2 * in[first + i];
#pragma unroll 1
	for (int i = 0; i < 8; i++)
		out[first + i] = x[7 - i];
}
