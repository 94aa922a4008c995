// Each element goes straight to its place.
__global__ void reversed(float *out, const float *in)
{
	int first = 8 * (blockIdx.x * blockDim.x + threadIdx.x);
#pragma unroll
	for (int i = 0; i < 8; i++)
		out[first + 7 - i] = 2 * in[first + i];
}
