__global__ void reversed(float *out, const float *in)
{
	int first = 8 * (blockIdx.x * blockDim.x + threadIdx.x);
#pragma unroll 1
	for (int i = 0; i < 8; i++)
		out[first + i] = 2 * in[first + 7 - i];
}
