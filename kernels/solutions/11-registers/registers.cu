// With unrolled loops every index is a constant, and every element a register.
//
// Blocks of 256 threads, eight elements per thread.
__global__ void reversed(float *out, const float *in)
{
	int first = 8 * (blockIdx.x * blockDim.x + threadIdx.x);
	float x[8];
#pragma unroll
	for (int i = 0; i < 8; i++)
		x[i] = 2 * in[first + i];
#pragma unroll
	for (int i = 0; i < 8; i++)
		out[first + i] = x[7 - i];
}
